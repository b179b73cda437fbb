import type { TextReference } from './event.ts'
import { digestOf } from './json/digest.ts'
import { stringifyJson } from './json/stringify.ts'
import type { JsonValue } from './json/value.ts'
import type { CallEnd, CallState } from './run/state.ts'

/** Binds a decision and a claim to exactly this tool, version and arguments. */
export function callDigest(tool: string, version: string, args: JsonValue): string {
  return digestOf({ args, tool, version })
}

/** The text of a reference as far as the log holds it; for a spilled text, its preview. */
export function textOf(reference: TextReference): string {
  return 'inline' in reference ? reference.inline : reference.preview
}

/** Failures after the tool had returned: its effect took place, whatever it was. */
const ranAllTheSame: readonly string[] = [
  'invalid_output',
  'output_too_large',
  'finalize_failed',
  'after_tool_failed',
]

const ranAdvice = 'Its effect took place. Do not make the same call again; find out first, or tell the user.'

const uncertainAdvice =
  'Nobody saw whether the effect took place. Do not make the same call again; find out first, or tell the user.'

/**
 * What the model is told of a call's end: a result as it is, anything else with the prefix `Error: `.
 * A call that has not ended is told as open.
 */
export function modelText(call: CallState): { readonly text: string; readonly isError: boolean } {
  const { text, isError } = foundOutText(call) ?? endText(call.end, call.toldBytes)
  const note = changeNote(call)
  if (note === '') return { text, isError }
  // The last line of a large result says where the rest of it is, and the first word of an error that it is one.
  return { text: isError ? `${text}\n\n${note}` : `${note}\n\n${text}`, isError }
}

/** What is known by now of a call that was given up. */
function foundOutText(call: CallState): { text: string; isError: boolean } | undefined {
  const { end, late, reconciled, toldBytes } = call
  if (end?.status !== 'failed' || (late === undefined && reconciled === undefined)) return undefined
  if (late !== undefined) {
    const { text, isError } = endText(late)
    return { text: `Error: ${toldMessage(end.message, toldBytes)}\nIt reported later: ${text}`, isError }
  }
  return {
    text: `Error: ${toldMessage(end.message, toldBytes)}\nSomebody found out since: ${foundOut[reconciled ?? 'failed']}`,
    isError: true,
  }
}

const foundOut = {
  completed: 'the effect took place.',
  failed: 'it failed, and there was no effect.',
  not_run: 'the effect did not take place; the call may be made again.',
} as const

function endText(end: CallEnd | undefined, toldBytes?: number): { text: string; isError: boolean } {
  if (end === undefined) return { text: 'Error: The call has not ended.', isError: true }
  if (end.status === 'completed') return { text: textOf(end.text), isError: false }
  const message = toldMessage(end.message, toldBytes)
  if (end.status === 'failed' && end.effect === 'uncertain') {
    const advice = ranAllTheSame.includes(end.code) ? ranAdvice : uncertainAdvice
    return { text: `Error: ${message}\n${advice}`, isError: true }
  }
  return { text: `Error: ${message}`, isError: true }
}

/** The head of a message that a spent budget leaves room for. */
function toldMessage(message: string, bytesMax: number | undefined): string {
  if (bytesMax === undefined) return message
  const bytes = new TextEncoder().encode(message)
  if (bytes.length <= bytesMax) return message
  // The line that says what is left out stands within the bound as well.
  const room = Math.max(0, bytesMax - leftOut(bytes.length).length)
  const head = new TextDecoder().decode(bytes.subarray(0, startOfCharacter(bytes, room)))
  return `${head}${leftOut(bytes.length - new TextEncoder().encode(head).length)}`
}

function leftOut(bytes: number): string {
  return `\n[${bytes} more bytes left out: the run has used its room for results]`
}

function startOfCharacter(bytes: Uint8Array, index: number): number {
  let start = index
  while (start > 0 && ((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start -= 1
  return start
}

/** Whose arguments they are, when they are no longer the model's. */
function changeNote(call: CallState): string {
  if (call.editedFrom !== undefined)
    return `[The person who approved the call changed its arguments; it ran with ${shownArguments(call)}]`
  if (call.migratedFrom !== undefined)
    return `[The tool changed while the call waited; its arguments were brought to the new form: ${shownArguments(call)}]`
  return ''
}

const notedCharactersMax = 500

/** The beginning of the arguments: they can be as large as a model can write. */
function shownArguments({ args }: CallState): string {
  const text = args === undefined ? '' : stringifyJson(args)
  if (text.length <= notedCharactersMax) return text
  const head = text.slice(0, notedCharactersMax).replace(/[\ud800-\udbff]$/, '')
  return `${head}... and ${text.length - head.length} more characters`
}
