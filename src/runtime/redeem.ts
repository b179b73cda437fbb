import type { Catalog } from '../core/catalog.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor, CallOutcome, Event } from '../core/event.ts'
import type { ResultMark } from '../core/execution-event.ts'
import { asJson } from '../core/json/as-json.ts'
import { bytesOf } from '../core/json/bytes-of.ts'
import { digestOf } from '../core/json/digest.ts'
import { named } from '../core/json/named.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { checkOptions } from '../core/known-keys.ts'
import { limits } from '../core/limits.ts'
import type { CallState, SessionState } from '../core/run/state.ts'
import { isUncertain } from '../core/run/uncertain.ts'
import type { Tool } from '../core/tool/tool.ts'
import { ResultBudget, type ResultLimits, spentBytes, toldOf } from './budget.ts'
import type { CallHooks } from './call-hooks.ts'
import type { Journal } from './journal.ts'
import type { RuntimeParts } from './parts.ts'
import { checkedOutput, effectOf, invalidOutput, settleChecked } from './settle.ts'
import { lateEvents, outcomeEvent } from './start.ts'
import type { OwnScopes } from './state/own-scopes.ts'
import type { Shaping } from './task.ts'
import { unknownTool } from './unknown-tool.ts'

/** What a ticket is redeemed with: the output, or a sentence for the model that says that there is none. */
export type GivenResult = { readonly output: JsonValue } | { readonly failed: string }

/** What is redeemed, and by whom. */
export interface RedeemOptions {
  readonly journal: Journal
  /** Knows the output schema of the tool. */
  readonly catalog: Catalog
  readonly parts: RuntimeParts
  /** How much of results the run's model gets. */
  readonly results: ResultLimits
  readonly by: Actor
  /** A name of the sender's own: the same result under the same name may be sent again. */
  readonly resultKey?: string
  /** The functions that stand around the calls of the agent. */
  readonly hooks?: CallHooks
  readonly scopes?: OwnScopes
}

/**
 * Gives the outcome of a call that was handed out, from any process: the ticket is redeemed once, and of several who
 * redeem it at the same time one is the first. What the outcome is does not change with who drives the run, or whether
 * anybody does.
 *
 * Errors: TICKET_NOT_FOUND for a ticket that is unknown, redeemed or closed, or of a run that has ended, unless the same
 * result was redeemed under the same key: then the answer is the same again. What comes for a call that was given up is
 * recorded all the same, once, and says so (`details.isLate`): an output settles what became of the call, a failure leaves
 * it uncertain. TOOL_OUTPUT_LIMIT and INVALID_TOOL_OUTPUT, with every fault: the ticket is used up, and
 * the call has failed. INVALID_ARGUMENT for what is no JSON, UNKNOWN_TOOL, TICKET_MISMATCH for a tool that is another
 * by now: the ticket stays open.
 */
export async function redeemExecution(
  options: RedeemOptions,
  ticket: string,
  given: GivenResult,
): Promise<void> {
  const { journal, by } = options
  const read = readGivenResult(given)
  const result = markOf(read, options.resultKey)
  await journal.refresh()
  const call = executedCall(journal.state, ticket)
  if (call.execution.by !== undefined) return answerAgain(call, result, ticket)
  const outcome = await outcomeOf(options, call, read).catch((error: unknown) => {
    // Whoever is too late is told nothing else.
    throw call.status === 'handed_out' ? error : notFound(ticket)
  })
  const durationMs = Math.max(0, options.parts.clock.now() - (call.startedAt ?? 0))
  const facts = { tries: 1, durationMs, ...outcome.told, by, result }
  let isFirst = false
  let late: readonly Event[] = []
  await journal.write((state): readonly Event[] => {
    const now = executedCall(state, ticket)
    isFirst = now.status === 'handed_out'
    if (isFirst) return [outcomeEvent(now.id, outcome.settled, facts)]
    late = now.execution.by === undefined ? lateEvents(state, now.id, outcome.settled, by) : []
    return late
  })
  const now = executedCall(journal.state, ticket)
  if (late.length > 0) throw tooLate(now)
  if (!isFirst) return answerAgain(now, result, ticket)
  await tellFailure(options, call, outcome.settled)
  refuseConsumed(outcome.settled)
}

type ExecutedCall = CallState & { readonly execution: NonNullable<CallState['execution']> }

/** The call that a ticket was opened for. */
function executedCall(state: SessionState, ticket: string): ExecutedCall {
  const call = state.calls.get(state.tickets.get(ticket)?.call ?? '')
  if (call?.execution === undefined || call.execution.ticket !== ticket) throw notFound(ticket)
  return { ...call, execution: call.execution }
}

/** One sentence for all that is no open ticket, so that nobody learns which of them it is. */
function notFound(ticket: string): ToolpostError {
  return new ToolpostError(
    'TICKET_NOT_FOUND',
    `There is no open ticket ${named(ticket)}: it is unknown, or was redeemed or closed. Find out what became of the call before it is made again.`,
  )
}

/** What it says is for who had the ticket; `isLate` of its details says that it is no other refusal. */
function tooLate(call: ExecutedCall): ToolpostError {
  const doubt = isUncertain(call)
    ? 'Nobody knows yet what became of the call: find out, and reconcile it. '
    : ''
  return new ToolpostError(
    'TICKET_NOT_FOUND',
    `The result came too late, when the call had been given up. ${doubt}It was recorded, and changes nothing that the run has said.`,
    { details: { isLate: true } },
  )
}

function markOf(given: GivenResult, key: string | undefined): ResultMark {
  return { ...(key === undefined ? {} : { key }), digest: digestOf(given) }
}

/** A copy of a result that is one. Errors: INVALID_ARGUMENT. */
export function readGivenResult(given: GivenResult): GivenResult {
  checkOptions(given, ['output', 'failed'], 'The result of a ticket')
  const { output: value, failed } = given as { readonly output?: unknown; readonly failed?: unknown }
  if (failed !== undefined) {
    if (value !== undefined)
      throw new ToolpostError('INVALID_ARGUMENT', 'A result has "output" or "failed"; the ticket is open.')
    if (typeof failed === 'string' && failed.trim() !== '') return { failed }
    throw new ToolpostError('INVALID_ARGUMENT', 'What failed must be said in a text; the ticket is open.')
  }
  const output = asJson(value)
  if (output !== undefined) return { output }
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `A result must be JSON, and the ticket is open: ${whyNotJson(value)}.`,
  )
}

/** A receipt can get lost on its way: who has redeemed the ticket is told so again, and nobody else. */
function answerAgain({ execution, end }: ExecutedCall, { key, digest }: ResultMark, ticket: string): void {
  const isSame = key !== undefined && execution.result?.key === key && execution.result.digest === digest
  if (!isSame || end === undefined) throw notFound(ticket)
  refuseConsumed(end)
}

/** Of a result that used up its ticket without being one. */
function refuseConsumed(end: NonNullable<CallState['end']>): void {
  if (end.status !== 'failed') return
  const isTooLarge = end.code === 'output_too_large'
  if (!isTooLarge && end.code !== 'invalid_output') return
  const said = /[.!?…]$/.test(end.message) ? end.message : `${end.message}.`
  const why = `${said} The ticket is used up, and the call has failed.`
  throw new ToolpostError(isTooLarge ? 'TOOL_OUTPUT_LIMIT' : 'INVALID_TOOL_OUTPUT', why)
}

async function outcomeOf(
  options: RedeemOptions,
  call: ExecutedCall,
  given: GivenResult,
): Promise<{ readonly settled: CallOutcome; readonly told: { readonly toldBytes?: number } }> {
  const { journal, results } = options
  const budget = new ResultBudget(results, spentBytes(journal.state.calls.values(), call.run))
  const settled = await settleGiven(options, call, given, budget)
  return { settled, told: settled.status === 'failed' ? toldOf(budget, settled.message) : {} }
}

async function settleGiven(
  options: RedeemOptions,
  call: ExecutedCall,
  given: GivenResult,
  budget: ResultBudget,
): Promise<CallOutcome> {
  if ('failed' in given) return failedOutside(call, 'application_tool_failed', given.failed)
  const { output } = given
  const bytes = bytesOf(output)
  if (bytes > limits.handedOutputBytesMax) return failedOutside(call, 'output_too_large', tooLarge(bytes))
  const tool = toolOf(options, call)
  // Nobody stops a result: its check is bounded by time alone.
  const { signal } = new AbortController()
  const checked = await checkedOutput({ parts: options.parts, signal }, tool, output)
  if ('fault' in checked) return invalidOutput(call, checked.fault)
  const { parts, journal, hooks, scopes } = options
  const shaping: Shaping = {
    ...{ parts, journal, run: call.run, agent: journal.state.agent, budget, signal },
    ...(hooks === undefined ? {} : { hooks }),
    ...(scopes === undefined ? {} : { scopes }),
  }
  return await settleChecked(shaping, tool, call, { value: checked.value, isJson: true })
}

function failedOutside(call: CallState, code: string, said: string): CallOutcome {
  const message = said.slice(0, limits.messageCharactersMax)
  return { status: 'failed', code, message, effect: effectOf(call) }
}

function tooLarge(bytes: number): string {
  return `The tool ran, but its output has ${bytes} bytes as JSON, and at most ${limits.handedOutputBytesMax} are taken.`
}

function toolOf({ journal, catalog }: RedeemOptions, call: CallState): Tool {
  const tool = catalog.find(call.name)
  if (tool === undefined) {
    const why = unknownTool(journal.state, call)
    throw new ToolpostError('UNKNOWN_TOOL', `${why} A result of it cannot be checked; the ticket is open.`)
  }
  if (tool.version === call.version) return tool
  throw new ToolpostError(
    'TICKET_MISMATCH',
    `The tool "${call.name}" is not the one whose call was handed out; the ticket is open.`,
  )
}

async function tellFailure(
  { catalog, hooks }: RedeemOptions,
  call: CallState,
  settled: CallOutcome,
): Promise<void> {
  const tool = catalog.find(call.name)
  if (settled.status !== 'failed' || tool === undefined) return
  await hooks?.failed({ tool, call, signal: new AbortController().signal }, settled)
}
