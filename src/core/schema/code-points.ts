/** Code points from one to another, both included. */
export type Range = readonly [from: number, to: number]

const last = 0x10_ffff

/** All code points that are in none of the ranges. */
export function complement(ranges: readonly Range[]): readonly Range[] {
  const found: Range[] = []
  let next = 0
  for (const [from, to] of united(ranges)) {
    if (from > next) found.push([next, from - 1])
    next = to + 1
  }
  if (next <= last) found.push([next, last])
  return found
}

/** The same code points in order, no range touching the next. */
export function united(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = []
  for (const [from, to] of [...ranges].sort(([one], [other]) => one - other)) {
    const before = found.at(-1)
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else found.push([from, to])
  }
  return found
}

/** Whether some code point is in both; the ranges are united ones. */
export function overlap(one: readonly Range[], other: readonly Range[]): boolean {
  let at = 0
  for (const [from, to] of one) {
    while (at < other.length && other[at]![1] < from) at += 1
    if (at < other.length && other[at]![0] <= to) return true
  }
  return false
}

const digits: readonly Range[] = [[0x30, 0x39]]
const word: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
/** ECMA-262, WhiteSpace and LineTerminator. */
const white: readonly Range[] = [
  ...[0x20, 0xa0, 0x1680, 0x202f, 0x205f, 0x3000, 0xfeff].map((each): Range => [each, each]),
  [0x09, 0x0d],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
]

/** What the escapes of ECMA-262 for kinds of characters stand for, and the dot. */
export const kinds: Readonly<Record<string, readonly Range[]>> = {
  '\\d': digits,
  '\\D': complement(digits),
  '\\w': word,
  '\\W': complement(word),
  '\\s': united(white),
  '\\S': complement(white),
  '.': complement(lineEnds),
}

/** Small enough that a repeat of all of them fits the stack of every engine. */
const blockSize = 4_096

/** Unicode has characters below here, a few tags at the beginning of plane 14, and private ones. */
const ideographsEnd = 0x4_0000
const [tagsStart, tagsEnd] = [0xe_0000, 0xe_1000]

/** Only characters below here have another case. */
export const casedEnd = 0x2_0000

/** The code points that a property of ECMA-262 takes, asked of the platform's own engine, so that it means the same. */
export function pointsOfProperty(source: string): readonly Range[] {
  const found = [...pointsBetween(source, 'u', 0, ideographsEnd)]
  found.push(...pointsBetween(source, 'u', tagsStart, tagsEnd))
  const one = new RegExp(source, 'u')
  // All of the rest of a plane is alike, but for its last two, which are no characters.
  for (let plane = ideographsEnd; plane <= last; plane += 0x1_0000) {
    const from = plane === tagsStart ? tagsEnd : plane
    if (one.test(String.fromCodePoint(from))) found.push([from, plane + 0xfffd])
    if (one.test(String.fromCodePoint(plane + 0xfffe))) found.push([plane + 0xfffe, plane + 0xffff])
  }
  return united(found)
}

/** The code points from a place to before another that a class takes. */
export function pointsBetween(source: string, flags: 'u' | 'iu', start: number, end: number): Range[] {
  const runs = new RegExp(`(?:${source})+`, `g${flags}`)
  const found: Range[] = []
  for (let from = start; from < end; from += blockSize) {
    // Halves of pairs would join when they stand side by side.
    if (from >= 0xd000 && from < 0xe000) addEach(found, runs, from)
    else addBlock(found, runs, from)
  }
  return found
}

function addEach(found: Range[], runs: RegExp, from: number): void {
  for (let each = from; each < from + blockSize; each += 1) {
    runs.lastIndex = 0
    if (runs.test(String.fromCodePoint(each))) found.push([each, each])
  }
}

function addBlock(found: Range[], runs: RegExp, from: number): void {
  const block = String.fromCodePoint(...Array.from({ length: blockSize }, (_, place) => from + place))
  const width = from >= 0x1_0000 ? 2 : 1
  for (const { index, 0: run } of block.matchAll(runs)) {
    const start = from + index / width
    found.push([start, start + run.length / width - 1])
  }
}
