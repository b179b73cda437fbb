import { kinds, type Range } from './code-points.ts'

/** One member of a class: code points, or a property that the platform's engine is asked about (`\p{Letter}`). */
export type Member = Range | string

/** A regular expression of ECMA-262 with Unicode, as a tree. */
export type PatternNode =
  | { readonly kind: 'set'; readonly negated: boolean; readonly members: readonly Member[] }
  | { readonly kind: 'dot' }
  | { readonly kind: 'edge'; readonly source: string }
  | { readonly kind: 'look'; readonly source: string; readonly body: PatternNode }
  | { readonly kind: 'reference' }
  | { readonly kind: 'group'; readonly on: string; readonly off: string; readonly body: PatternNode }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }

/** Reads a pattern that the platform's engine takes with the flag `u`. */
export function patternTree(source: string): PatternNode {
  return new PatternReader(source).choice()
}

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

class PatternReader {
  private readonly source: string
  private at = 0

  constructor(source: string) {
    this.source = source
  }

  choice(): PatternNode {
    const options = [this.sequence()]
    while (this.take(/\|/y) !== undefined) options.push(this.sequence())
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!)) {
      parts.push(this.repeated(this.term()))
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  private repeated(body: PatternNode): PatternNode {
    const [, sign, least, comma, most] = this.take(/(?:([*+?])|\{(\d+)(,)?(\d*)\})\??/y) ?? []
    if (sign === undefined && least === undefined) return body
    if (sign !== undefined) {
      return { kind: 'repeat', body, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
    }
    const min = Number(least)
    const max = comma === undefined ? min : most === '' ? Infinity : Number(most)
    return { kind: 'repeat', body, min, max }
  }

  private term(): PatternNode {
    const edge = this.take(/[$^]|\\[bB]/y)
    if (edge !== undefined) return { kind: 'edge', source: edge[0] }
    const look = this.take(/\(\?<?[=!]/y)
    if (look !== undefined) return { kind: 'look', source: look[0], body: this.closed() }
    const group = this.take(/\((?:\?(?:<[^>]*>|([ims]*)(?:-([ims]*))?:))?/y)
    if (group !== undefined) {
      return { kind: 'group', on: group[1] ?? '', off: group[2] ?? '', body: this.closed() }
    }
    if (this.take(/\\k<[^>]*>|\\[1-9]\d*/y) !== undefined) return { kind: 'reference' }
    if (this.take(/\./y) !== undefined) return { kind: 'dot' }
    const opened = this.take(/\[(\^)?/y)
    if (opened !== undefined) return this.rest(opened[1] !== undefined)
    return { kind: 'set', negated: false, members: this.atom() }
  }

  private closed(): PatternNode {
    const body = this.choice()
    this.at += 1
    return body
  }

  private rest(negated: boolean): PatternNode {
    const members: Member[] = []
    while (this.take(/\]/y) === undefined) {
      const from = this.atom()
      const isRange = from.length === 1 && this.take(/-(?!\])/y) !== undefined
      const to = isRange ? this.atom() : []
      const [first, second] = [from[0]!, to[0]]
      if (second === undefined) members.push(...from)
      else members.push([(first as Range)[0], (second as Range)[1]])
    }
    return { kind: 'set', negated, members }
  }

  /** One character, or an escape that stands for several. */
  private atom(): readonly Member[] {
    const property = this.take(/\\[pP]\{[^}]*\}/y)
    if (property !== undefined) return [property[0]]
    const kind = this.take(/\\[dDwWsS]/y)
    if (kind !== undefined) return kinds[kind[0]]!
    const point = this.escaped() ?? this.take(/./suy)![0].codePointAt(0)!
    return [[point, point]]
  }

  private escaped(): number | undefined {
    const pair = this.take(/\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y)
    if (pair !== undefined) {
      const [high, low] = [Number.parseInt(pair[1]!, 16), Number.parseInt(pair[2]!, 16)]
      return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x1_0000
    }
    const code = this.take(/\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/y)
    if (code !== undefined) return Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16)
    const control = this.take(/\\c([A-Za-z])/y)
    if (control !== undefined) return control[1]!.charCodeAt(0) % 32
    const other = this.take(/\\(.)/suy)
    if (other === undefined) return undefined
    // `\b` is an edge outside of a class, so that it is read here inside of one only.
    return other[1] === 'b' ? 8 : (controls[other[1]!] ?? other[1]!.codePointAt(0)!)
  }

  private take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.at
    const found = what.exec(this.source)
    if (found === null) return undefined
    this.at = what.lastIndex
    return found
  }
}
