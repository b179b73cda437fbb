import type { TextReference } from './event.ts'
import { digestOf } from './json/digest.ts'
import type { JsonValue } from './json/value.ts'
import type { CallEnd, CallState } from './run/state.ts'

/** Binds a decision and a claim to exactly this tool, version and arguments. */
export function callDigest(tool: string, version: string, args: JsonValue): string {
  return digestOf({ tool, version, args })
}

/** The text of a reference as far as the log holds it; for a spilled text, its preview. */
export function textOf(reference: TextReference): string {
  return 'inline' in reference ? reference.inline : reference.preview
}

/** Failures after the tool had returned: its effect took place, whatever it was. */
const ranAllTheSame: readonly string[] = ['invalid_output', 'finalize_failed']

const ranAdvice = 'Its effect took place. Do not make the same call again; find out first, or tell the user.'

const uncertainAdvice =
  'Nobody saw whether the effect took place. Do not make the same call again; find out first, or tell the user.'

/**
 * What the model is told of a call's end: a result as it is, anything else with the prefix `Error: `.
 * A call that has not ended is told as open.
 */
export function modelText(call: CallState): { readonly text: string; readonly isError: boolean } {
  const edited = call.editedFrom === undefined ? '' : `\n\n${editedNote(call)}`
  const { text, isError } = foundOutText(call) ?? endText(call.end)
  return { text: `${text}${edited}`, isError }
}

/** What is known by now of a call that was given up. */
function foundOutText(call: CallState): { text: string; isError: boolean } | undefined {
  const { end, late, reconciled } = call
  if (end?.status !== 'failed' || (late === undefined && reconciled === undefined)) return undefined
  if (late !== undefined) {
    const { text, isError } = endText(late)
    return { text: `Error: ${end.message}\nIt reported later: ${text}`, isError }
  }
  return {
    text: `Error: ${end.message}\nSomebody found out since: ${foundOut[reconciled ?? 'failed']}`,
    isError: true,
  }
}

const foundOut = {
  completed: 'the effect took place.',
  failed: 'it failed, and there was no effect.',
  not_run: 'the effect did not take place; the call may be made again.',
} as const

function endText(end: CallEnd | undefined): { text: string; isError: boolean } {
  if (end === undefined) return { text: 'Error: The call has not ended.', isError: true }
  if (end.status === 'completed') return { text: textOf(end.text), isError: false }
  if (end.status === 'failed' && end.effect === 'uncertain') {
    const advice = ranAllTheSame.includes(end.code) ? ranAdvice : uncertainAdvice
    return { text: `Error: ${end.message}\n${advice}`, isError: true }
  }
  return { text: `Error: ${end.message}`, isError: true }
}

function editedNote(call: CallState): string {
  return `[The person who approved the call changed its arguments; it ran with ${JSON.stringify(call.args, exactDigits)}]`
}

/** Big integers are shown as their digits. */
function exactDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
