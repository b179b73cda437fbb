import { compilePattern, type Pattern } from '../core/schema/pattern.ts'
import { byteLength } from '../runtime/preview.ts'
import { lineCharactersMax, linesOf, partEnd, type TextLine, wholeCharacter } from './result-text.ts'

/** Where a search begins, and how much it may give. */
export interface SearchBounds {
  readonly fromLine?: number
  readonly fromCharacter?: number
  readonly bytesMax: number
}

/** Characters that are shown before and from a match in a longer line. */
const before = 120
const after = 280
const entriesMax = 200

/** A search goes over tens of megabytes, so that its pattern may not have many places to be at. */
const patternSizeMax = 1_000

/**
 * What surrounds each match of a pattern: its line, or a part of a long line with the place of the match. When there is
 * more than fits, the last line says where to go on.
 */
export function searchText(text: string, search: string, bounds: SearchBounds): string {
  const found = new Found(searchPattern(search), bounds.bytesMax)
  const { fromLine = 1, fromCharacter = 0 } = bounds
  for (const line of linesOf(text, fromCharacter)) {
    if (line.number >= fromLine) found.look(line, Math.max(0, fromCharacter - line.start))
  }
  return found.told()
}

/** The pattern of a search. A switch at its beginning, as in "(?i)error", is taken though ECMA-262 has none. */
export function searchPattern(search: string): Pattern {
  const [opening = '', switches = ''] = /^\(\?([ims]+)\)/.exec(search) ?? []
  const flags = { ignoresCase: switches.includes('i'), dotAll: switches.includes('s') }
  try {
    const pattern = compilePattern(search.slice(opening.length), flags)
    if (pattern.size <= patternSizeMax) return pattern
    throw new Error(`its repeats come to more than ${patternSizeMax.toLocaleString('en')} characters in all`)
  } catch (error) {
    throw new Error(`The search is no pattern that can be run: ${(error as Error).message}.`)
  }
}

class Found {
  private readonly pattern: Pattern
  private readonly entries: string[] = []
  private left: number
  /** Where to go on, once nothing more fits. */
  private next: string | undefined
  private more = 0

  constructor(pattern: Pattern, bytesMax: number) {
    this.pattern = pattern
    this.left = bytesMax
  }

  look(line: TextLine, from: number): void {
    if (from > line.text.length || (from === 0 && !this.pattern.test(line.text))) return
    const match = this.pattern.find(line.text, from)
    if (match === undefined) return
    if (this.next !== undefined) this.more += 1
    else if (line.text.length <= lineCharactersMax) this.addLine(line)
    else this.addParts(line, match)
  }

  told(): string {
    if (this.entries.length === 0 && this.next === undefined) return 'No line matches.'
    if (this.next === undefined) return this.entries.join('\n')
    const count =
      this.more === 0 ? 'More matches' : `${this.more} more matching line${this.more === 1 ? '' : 's'}`
    return `${this.entries.join('\n')}\n[${count}: go on with ${this.next}]`
  }

  private addLine({ number, text }: TextLine): void {
    if (this.add(`${number}: ${text}`)) return
    this.next = `fromLine: ${number}`
    this.more = 1
  }

  private addParts(line: TextLine, first: { readonly start: number; readonly end: number }): void {
    let match: typeof first | undefined = first
    while (match !== undefined) {
      const { start } = match
      const from = wholeCharacter(line.text, Math.max(0, start - before))
      const to = partEnd(line.text, from, start - from + after, Number.POSITIVE_INFINITY)
      const place = `${line.number}, character ${line.start + start}: `
      const part = `${from > 0 ? '[...]' : ''}${line.text.slice(from, to)}${to < line.text.length ? '[...]' : ''}`
      if (!this.add(`${place}${part}`)) {
        this.next = `fromCharacter: ${line.start + start}`
        return
      }
      // A match within what was shown is shown.
      const on: number = Math.max(to, match.end)
      match = on < line.text.length ? this.pattern.find(line.text, on) : undefined
    }
  }

  /** Whether it still fitted. The first one is cut to fit, so that every reading comes further. */
  private add(entry: string): boolean {
    const bytes = byteLength(entry) + 1
    if (this.entries.length >= entriesMax) return false
    if (bytes > this.left && this.entries.length > 0) return false
    this.entries.push(bytes <= this.left ? entry : entry.slice(0, partEnd(entry, 0, entry.length, this.left)))
    this.left -= bytes
    return true
  }
}
