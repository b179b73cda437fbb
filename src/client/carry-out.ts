import { asJson } from '../core/json/as-json.ts'
import { bytesOf } from '../core/json/bytes-of.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { wireBounds } from '../protocol/bounds.ts'
import { isHostError } from '../protocol/host-error.ts'
import type { ToolExecution } from '../protocol/tool-executions/tool-execution.ts'
import { clientBounds } from './bounds.ts'
import type { PauseParts } from './pause.ts'
import { servedCall } from './served-call.ts'
import { callTool, type ServedFunction, type ServedTool } from './served-tool.ts'
import type { TicketOperations } from './ticket-operations.ts'
import { untilTold } from './until-told.ts'

/** What carries executions out. */
export interface CarryParts extends PauseParts {
  readonly tickets: TicketOperations
  /** Told what a function threw, or what is wrong with its output: the host is told neither. */
  readonly onFailure?: ((fault: unknown, execution: ToolExecution) => void) | undefined
  /** Is given every sending of a result: it settles when its receipt is there, or nobody waits for one any more. */
  readonly onSending?: (sending: Promise<void>) => void
}

type Outcome = { readonly output: JsonValue } | { readonly error: 'APPLICATION_TOOL_FAILED' }

/** With these the host has decided about the execution, and the run's stream tells how it goes on. */
const decided: readonly string[] = [
  'TOOL_EXECUTION_NOT_FOUND',
  'TOOL_RESULT_CONFLICT',
  'INVALID_TOOL_OUTPUT',
  'TOOL_OUTPUT_LIMIT',
]

/** With these the host has not even looked at the output, and still waits for a result. */
const unread: readonly string[] = ['INVALID_REQUEST', 'INVALID_TOOL_EXECUTION', 'BODY_TOO_LARGE']

const failed: Outcome = { error: 'APPLICATION_TOOL_FAILED' }

/**
 * Carries an execution out and gives its result, again under the same key while the receipt is lost. After an abort
 * nothing is given. Throws what the host refuses the result with, unless the run's stream tells it too.
 */
export async function carryOut(
  parts: CarryParts,
  tool: ServedFunction | ServedTool,
  execution: ToolExecution,
  stopping: AbortController,
): Promise<void> {
  const outcome = await outcomeOf(parts, tool, execution, stopping)
  if (stopping.signal.aborted) return
  const sending = giveOutcome(parts, outcome, execution, stopping.signal)
  parts.onSending?.(sending.catch(() => undefined))
  await sending
}

async function giveOutcome(
  parts: CarryParts,
  outcome: Outcome,
  execution: ToolExecution,
  stopped: AbortSignal,
): Promise<void> {
  const { signal, release } = afterwards(stopped, parts)
  const { executionId, runId, call } = execution
  const identity = { executionId, runId, callId: call.id }
  const give = (given: Outcome) => {
    const result = { ...identity, ...given, resultKey: newResultKey() }
    return untilTold(() => parts.tickets.completeTool(result, { signal }), parts, stopped)
  }
  try {
    await give(outcome).catch((fault: unknown) => {
      if (!isHostError(fault) || !unread.includes(fault.code)) throw fault
      parts.onFailure?.(fault, execution)
      return give(failed)
    })
  } catch (fault) {
    if (!isHostError(fault) || !decided.includes(fault.code)) {
      if (stopped.aborted) return
      throw fault
    }
    // An output that the host did not take is for its author to hear of.
    if (fault.code !== 'TOOL_EXECUTION_NOT_FOUND') parts.onFailure?.(fault, execution)
  } finally {
    release()
  }
}

/** The stream may tell how a call ended before its receipt arrives: a result that is on its way is waited for a little longer. */
function afterwards(
  stopped: AbortSignal,
  { clock }: PauseParts,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const over = new AbortController()
  let cancel = () => {}
  const begin = () => {
    cancel = clock.timer(clientBounds.receiptMs, () => over.abort(stopped.reason))
  }
  stopped.addEventListener('abort', begin, { once: true })
  const release = () => {
    stopped.removeEventListener('abort', begin)
    cancel()
  }
  return { signal: over.signal, release }
}

async function outcomeOf(
  { tickets, onFailure }: CarryParts,
  tool: ServedFunction | ServedTool,
  execution: ToolExecution,
  stopping: AbortController,
): Promise<Outcome> {
  const { signal } = stopping
  try {
    const context = servedCall(tickets, execution, signal, () => stopping.abort())
    return { output: sendable(await callTool(tool, execution.call.arguments, context)) }
  } catch (fault) {
    if (!signal.aborted) onFailure?.(fault, execution)
    return failed
  }
}

/** Throws a TypeError for what is no JSON, or more than a request can hold: the host could not even say that it is too much. */
function sendable(output: unknown): JsonValue {
  const json = asJson(output)
  if (json === undefined) throw new TypeError(`The output is no JSON: ${whyNotJson(output)}.`)
  const bytes = bytesOf(json)
  // What the result says beside its output has less than this.
  const bytesMax = wireBounds.bodyBytesMax - 10_000
  if (bytes > bytesMax)
    throw new TypeError(`The output has ${bytes} bytes, and no more than ${bytesMax} can be sent.`)
  return json
}

function newResultKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
