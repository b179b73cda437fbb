import type { ApprovalRequest } from '../../agent/approval-request.ts'
import { isJsonObject, type JsonValue } from '../../core/json/value.ts'
import { clipped } from './clipped.ts'
import { inertLine, revealedText, visibleJson } from './inert-text.ts'

/** An ask as lines for a person. */
export interface AskCard {
  readonly lines: readonly string[]
  /** True when something long was folded. */
  readonly isFolded: boolean
}

const oneLineMax = 160
const previewLines = 12

/** What will run, exactly, and why somebody is asked; long texts are folded unless `isFull`. */
export function askCard(request: ApprovalRequest, isFull = false): AskCard {
  const { tool, mode, reason, why, prepared, coerced, argsDigest, id } = request
  const { lines, isFolded } = argumentLines(request.args, isFull)
  const layers = why.filter(
    (entry) => entry.verdict !== undefined && entry.reason !== reason && entry.private !== true,
  )
  return {
    isFolded,
    lines: [
      `${inertLine(tool.name)} wants to run and asks first`,
      `  ask     ${id}`,
      `  class   ${tool.toolClass}${mode === undefined ? '' : `, in mode ${mode}`}`,
      `  why     ${inertLine(reason)}`,
      ...layers.map((entry) => `  layer   ${entry.layer} [${entry.verdict}]: ${inertLine(entry.reason)}`),
      ...(prepared
        ? ['  note    The tool prepared the arguments: they are not word for word what the model wrote.']
        : []),
      ...coerced.map(
        (each) => `  note    Converted without loss: ${inertLine(clipped(JSON.stringify(each), oneLineMax))}`,
      ),
      '  runs with',
      ...lines.map((line) => `    ${line}`),
      `  digest  ${argsDigest}`,
    ],
  }
}

function argumentLines(args: JsonValue, isFull: boolean): { lines: readonly string[]; isFolded: boolean } {
  const members = isJsonObject(args) ? Object.entries(args) : [['(arguments)', args] as const]
  const width = Math.min(20, Math.max(...members.map(([name]) => name.length), 0))
  const shown = members.map(([name, value]) =>
    valueLines(revealedText(clipped(name, 60)).padEnd(width), value, isFull),
  )
  if (shown.length === 0) return { lines: ['(no arguments)'], isFolded: false }
  return { lines: shown.flatMap((each) => each.lines), isFolded: shown.some((each) => each.isFolded) }
}

function valueLines(name: string, value: JsonValue, isFull: boolean): { lines: string[]; isFolded: boolean } {
  const json = visibleJson(value)
  if (json.length <= oneLineMax) return { lines: [`${name}  ${json}`], isFolded: false }
  if (typeof value === 'string') return textLines(name, value, isFull)
  if (isFull) return { lines: [`${name}  ${json}`], isFolded: false }
  return {
    lines: [`${name}  ${clipped(json, oneLineMax)} (${counted(json.length, 'character')} of JSON)`],
    isFolded: true,
  }
}

function textLines(name: string, text: string, isFull: boolean): { lines: string[]; isFolded: boolean } {
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
