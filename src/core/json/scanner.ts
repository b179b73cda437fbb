import { setOwn } from './set-own.ts'
import type { JsonValue } from './value.ts'

/** What stops a scan. `position` counts UTF-16 code units from 0. */
export class JsonFault extends Error {
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

/** The bounds of one scan, all of them set. */
export interface ScanBounds {
  readonly depthMax: number
  readonly membersMax: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const fractionOrExponent = /[.eE]/
const escapeToken = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Reads one JSON text from its first character to its last; a fault is thrown as a `JsonFault`. */
export class JsonScanner {
  private readonly text: string
  private readonly bounds: ScanBounds
  private position = 0
  private members = 0

  constructor(text: string, bounds: ScanBounds) {
    this.text = text
    this.bounds = bounds
  }

  document(): JsonValue {
    this.skipSpace()
    const value = this.value(0)
    this.skipSpace()
    if (this.position < this.text.length) this.failExpecting('the end of the text')
    return value
  }

  private value(depth: number): JsonValue {
    switch (this.text[this.position]) {
      case '{':
        return this.object(depth + 1)
      case '[':
        return this.array(depth + 1)
      case '"':
        return this.string()
      case 't':
        return this.word('true')
      case 'f':
        return this.word('false')
      case 'n':
        return this.word('null')
      default:
        return this.number()
    }
  }

  private object(depth: number): JsonValue {
    const result: Record<string, JsonValue> = {}
    if (this.isEmptyAfterOpening(depth, '}')) return result
    do {
      this.countMember()
      const key = this.key(result)
      this.skipSpace()
      if (this.text.charCodeAt(this.position) !== COLON) this.failExpecting('a colon after the key')
      this.position += 1
      this.skipSpace()
      setOwn(result, key, this.value(depth))
    } while (this.isFollowed('}', 'a comma or a closing brace'))
    return result
  }

  private array(depth: number): JsonValue {
    const result: JsonValue[] = []
    if (this.isEmptyAfterOpening(depth, ']')) return result
    do {
      this.countMember()
      result.push(this.value(depth))
    } while (this.isFollowed(']', 'a comma or a closing bracket'))
    return result
  }

  private isEmptyAfterOpening(depth: number, close: string): boolean {
    const { depthMax } = this.bounds
    if (depth > depthMax) this.fail(`Objects and arrays are nested more than ${depthMax} deep`)
    this.position += 1
    this.skipSpace()
    if (this.text[this.position] !== close) return false
    this.position += 1
    return true
  }

  /** Takes a comma, or the closing mark, which ends the loop over members. */
  private isFollowed(close: string, expected: string): boolean {
    this.skipSpace()
    const isComma = this.text.charCodeAt(this.position) === COMMA
    if (!isComma && this.text[this.position] !== close) this.failExpecting(expected)
    this.position += 1
    if (isComma) this.skipSpace()
    return isComma
  }

  private countMember(): void {
    const { membersMax } = this.bounds
    this.members += 1
    if (this.members > membersMax) this.fail(`There are more than ${membersMax} members and elements in all`)
  }

  private key(owner: object): string {
    if (this.text.charCodeAt(this.position) !== QUOTE) this.failExpecting('a key in double quotes')
    const start = this.position
    const key = this.string()
    if (Object.hasOwn(owner, key)) this.fail(`The key ${shown(key)} stands twice in one object`, start)
    return key
  }

  private string(): string {
    const { text } = this
    const start = this.position
    let isEscaped = false
    for (let at = start + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.position = at + 1
        return isEscaped ? this.unescaped(start) : text.slice(start + 1, at)
      }
      if (code < 0x20) this.fail('A control character in a string must be escaped', at)
      if (code === BACKSLASH) {
        at = this.escapeEnd(at)
        isEscaped = true
      }
    }
    return this.fail('A string is not closed, it starts', start)
  }

  private escapeEnd(at: number): number {
    escapeToken.lastIndex = at
    if (!escapeToken.test(this.text)) this.fail('A backslash starts no escape that JSON knows', at)
    return escapeToken.lastIndex - 1
  }

  /** The string from `start` to here, which is known to be well-formed JSON. */
  private unescaped(start: number): string {
    const value: string = JSON.parse(this.text.slice(start, this.position))
    // Half a surrogate pair is no character: UTF-8 cannot carry it and hosts would each replace it differently.
    if (!value.isWellFormed()) this.fail('A \\u escape is half of a surrogate pair, in the string', start)
    return value
  }

  private number(): number | bigint {
    const start = this.position
    numberToken.lastIndex = start
    if (!numberToken.test(this.text)) this.failExpecting('a value')
    this.position = numberToken.lastIndex
    const token = this.text.slice(start, this.position)
    const value = Number(token)
    if (Number.isSafeInteger(value)) return value
    if (!fractionOrExponent.test(token)) return BigInt(token)
    return Number.isFinite(value) ? value : this.fail('The number is too large', start)
  }

  private word(name: string): JsonValue {
    if (!this.text.startsWith(name, this.position)) this.failExpecting('a value')
    this.position += name.length
    return words.get(name) as JsonValue
  }

  private skipSpace(): void {
    const { text } = this
    for (; this.position < text.length; this.position += 1) {
      const code = text.charCodeAt(this.position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    }
  }

  private failExpecting(what: string): never {
    const found = this.text.codePointAt(this.position)
    const seen = found === undefined ? 'the text ends there' : `found ${shownCharacter(found)}`
    throw new JsonFault(`Expected ${what} at position ${this.position}, but ${seen}`, this.position)
  }

  private fail(what: string, position = this.position): never {
    throw new JsonFault(`${what} at position ${position}`, position)
  }
}

function shown(key: string): string {
  return JSON.stringify(key.length > 80 ? `${key.slice(0, 80)}…` : key)
}

function shownCharacter(code: number): string {
  if (code > 0x20 && code < 0x7f) return String.fromCharCode(code)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
