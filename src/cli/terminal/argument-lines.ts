import { isJsonObject, type JsonValue } from '../../core/json/value.ts'
import { clipped } from './clipped.ts'
import { revealedText, visibleJson } from './inert-text.ts'

/** Arguments as lines. */
export interface Shown {
  readonly lines: readonly string[]
  /** True when something long was folded. */
  readonly isFolded: boolean
}

const oneLineMax = 160
const previewLines = 12

/** What a tool runs with, exactly, as lines for a person; long texts are folded unless `isFull`. */
export function argumentLines(args: JsonValue, isFull: boolean): Shown {
  const members = isJsonObject(args) ? Object.entries(args) : [['(arguments)', args] as const]
  const width = Math.min(20, Math.max(...members.map(([name]) => name.length), 0))
  const shown = members.map(([name, value]) =>
    valueLines(revealedText(clipped(name, 60)).padEnd(width), value, isFull),
  )
  if (shown.length === 0) return { lines: ['(no arguments)'], isFolded: false }
  return { lines: shown.flatMap((each) => each.lines), isFolded: shown.some((each) => each.isFolded) }
}

function valueLines(name: string, value: JsonValue, isFull: boolean): Shown {
  const json = visibleJson(value)
  if (json.length <= oneLineMax) return { lines: [`${name}  ${json}`], isFolded: false }
  if (typeof value === 'string') return textLines(name, value, isFull)
  if (isFull) return { lines: [`${name}  ${json}`], isFolded: false }
  return {
    lines: [`${name}  ${clipped(json, oneLineMax)} (${counted(json.length, 'character')} of JSON)`],
    isFolded: true,
  }
}

function textLines(name: string, text: string, isFull: boolean): Shown {
  // A line feed at the end ends the last line and begins no other; the tools count in the same way.
  const all = revealedText(text.replace(/\n$/, '')).split('\n')
  const size = `a text of ${counted(text.length, 'character')} in ${counted(all.length, 'line')}`
  if (isFull) return { lines: [`${name}  ${size}`, ...all.map((line) => `  │ ${line}`)], isFolded: false }
  const head = all.slice(0, previewLines).map((line) => `  │ ${clipped(line, oneLineMax)}`)
  const rest = all.length - head.length
  const more = rest > 0 ? [`  │ … and ${counted(rest, 'more line')}`] : []
  return { lines: [`${name}  ${size}:`, ...head, ...more], isFolded: true }
}

function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
}
