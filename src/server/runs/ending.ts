import type { EventOf } from '../../core/event.ts'
import type { CallState, RunState, SessionState } from '../../core/run/state.ts'
import { wasUncertain } from '../../core/run/uncertain.ts'
import type { ErrorDetails } from '../../protocol/error-body.ts'
import { isWireErrorCode, wireErrors } from '../../protocol/errors.ts'
import { refusalCode } from './refusals.ts'

/** How a run's end travels: what the terminal event is, and its error. */
export type WireEnding =
  | { readonly type: 'run.completed'; readonly finishReason: 'stop' | 'length' }
  | { readonly type: 'run.failed' | 'run.cancelled'; readonly error: ErrorDetails }

type Ended = Pick<EventOf<'run.ended'>, 'status' | 'text' | 'code'>

/** Reads how a run ended. A run in which something may have been done without anybody knowing says so, however it ended. */
export function endingOf(state: SessionState, run: RunState, ended: Ended): WireEnding {
  const { status, text } = ended
  if (status === 'completed') return { type: 'run.completed', finishReason: 'stop' }
  if (status === 'cut_short' && wasLength(state, run))
    return { type: 'run.completed', finishReason: 'length' }
  const isOpen = callsOf(state, run).some(mayHaveActed)
  const code = codeOf(state, run, ended, isOpen)
  const error = detailsOf(code, publicMessage(code, text), isOpen)
  return { type: status === 'cancelled' ? 'run.cancelled' : 'run.failed', error }
}

/** What a tool or a provider threw is for the model and the host; on the wire its code says enough. */
export function publicMessage(code: string, message: string): string {
  // What a provider says of a failure may hold its keys and inner addresses.
  const isThrown = code === 'TOOL_FAILED' || code === 'TOOL_OUTCOME_UNCERTAIN' || code === 'PROVIDER_ERROR'
  return isThrown ? wireErrors[code].meaning : message
}

/** Whether a call of a run that failed over it, or was stopped in it, may have had an effect that nobody saw. */
function mayHaveActed(call: CallState): boolean {
  const isThrown = call.end?.status === 'failed' && call.end.code === 'tool_error'
  return wasUncertain(call) || (isThrown && call.toolClass !== 'read' && call.toolClass !== 'sensitive')
}

function detailsOf(code: string, message: string, isOpen: boolean): ErrorDetails {
  const retryable = isWireErrorCode(code) && wireErrors[code].retryable && !isOpen
  return { code, message, retryable, ...(isOpen ? { outcome: 'uncertain' as const } : {}) }
}

function codeOf(state: SessionState, run: RunState, ended: Ended, isOpen: boolean): string {
  switch (ended.status) {
    case 'cancelled':
      return stopCode(ended)
    case 'step_limit':
      return 'STEP_LIMIT'
    case 'call_limit':
      return 'TOOL_LIMIT'
    case 'uncertain':
      return 'TOOL_OUTCOME_UNCERTAIN'
    case 'failed':
      return isOpen && endedOverFailure(state, run, ended)
        ? 'TOOL_OUTCOME_UNCERTAIN'
        : failureCode(state, run, ended)
    default:
      return 'PROVIDER_ERROR'
  }
}

/** Whether what ended a run is a call that was started. */
function endedOverFailure(state: SessionState, run: RunState, { code }: Ended): boolean {
  return callsOf(state, run).some(({ end }) => end?.status === 'failed' && end.code === code)
}

/** A run that was stopped says by what. */
function stopCode({ code, text }: Ended): string {
  if (code === 'IDLE_TIMEOUT') return 'IDLE_TIMEOUT'
  return code === 'RUN_TIMEOUT' ? 'TIMEOUT' : (refusalCode(text) ?? 'CANCELLED')
}

function failureCode(state: SessionState, run: RunState, { code, text }: Ended): string {
  if (code === undefined) return refusalCode(text) ?? 'PROVIDER_ERROR'
  if (code === 'OUTPUT_INVALID') return 'INVALID_OUTPUT'
  const call = callsOf(state, run).find(({ end }) => end !== undefined && 'code' in end && end.code === code)
  return (call && callFailureCode(call)) ?? (isWireErrorCode(code) ? code : 'TOOL_FAILED')
}

const codes: Readonly<Record<string, string>> = {
  invalid_json: 'INVALID_TOOL_ARGUMENTS',
  invalid_arguments: 'INVALID_TOOL_ARGUMENTS',
  prepare_failed: 'INVALID_TOOL_ARGUMENTS',
  unknown_tool: 'TOOL_NOT_ALLOWED',
  over_budget: 'TOOL_LIMIT',
  step_limit: 'STEP_LIMIT',
  uncertain_earlier: 'TOOL_OUTCOME_UNCERTAIN',
  duplicate_call: 'INVALID_TOOL_CALL',
  timed_out: 'TIMEOUT',
  application_tool_failed: 'APPLICATION_TOOL_FAILED',
  invalid_output: 'INVALID_TOOL_OUTPUT',
  output_too_large: 'TOOL_OUTPUT_LIMIT',
}

/** The wire's code for a call that did not complete; undefined for one that did. */
export function callFailureCode(call: CallState): string | undefined {
  const { end } = call
  if (end === undefined || end.status === 'completed') return undefined
  if (wasUncertain(call)) return 'TOOL_OUTCOME_UNCERTAIN'
  if (end.status === 'cancelled') return 'CANCELLED'
  const ofHost = refusalCode(end.message)
  if (ofHost !== undefined) return ofHost
  if (end.code === 'declined') return declinedCode('category' in end ? end.category : undefined)
  return codes[end.code] ?? (end.status === 'refused' ? 'TOOL_NOT_ALLOWED' : 'TOOL_FAILED')
}

function declinedCode(category: string | undefined): string {
  if (category === 'expired') return 'APPROVAL_EXPIRED'
  return category === undefined ? 'APPROVAL_DENIED' : 'APPROVAL_REQUIRED'
}

function wasLength(state: SessionState, run: RunState): boolean {
  const last = state.history.findLast((entry) => entry.run === run.id)
  return last?.role === 'assistant' && last.finish === 'length'
}

function callsOf(state: SessionState, run: RunState): CallState[] {
  return [...state.calls.values()].filter((call) => call.run === run.id)
}
