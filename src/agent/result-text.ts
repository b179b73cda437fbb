/** Characters of a line above which it is not shown whole among others. */
export const lineCharactersMax = 1_000

/** A line of a text: where it begins, and what it says without its line end. */
export interface TextLine {
  /** From 1. */
  readonly number: number
  /** Characters (UTF-16) before it in the text. */
  readonly start: number
  readonly text: string
}

/** The lines of a text from the one that a character stands in; a line ends with LF or CR LF. */
export function* linesOf(text: string, from = 0): Generator<TextLine> {
  let number = 1
  let start = 0
  for (;;) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    if (stop >= from) {
      const cut = end > start && text[end - 1] === '\r' ? end - 1 : stop
      yield { number, start, text: text.slice(start, cut) }
    }
    if (end < 0) return
    number += 1
    start = end + 1
  }
}

/** How many lines a text has. */
export function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Where a part ends that begins at a place and has at most so many characters and bytes of UTF-8; it halves no pair. */
export function partEnd(text: string, from: number, charactersMax: number, bytesMax: number): number {
  const last = Math.min(text.length, from + charactersMax)
  let end = from
  for (let bytes = 0; end < last; ) {
    const point = text.codePointAt(end)!
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4
    if (bytes > bytesMax) break
    end += point < 0x1_0000 ? 1 : 2
  }
  return Math.min(end, text.length)
}

/** The place itself, or the one before when it stands within a pair. */
export function wholeCharacter(text: string, at: number): number {
  const isLow = at > 0 && /[\udc00-\udfff]/.test(text[at] ?? '')
  return isLow && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}
