import type { CallOutcome, Event } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { Decision } from '../core/policy/evaluate.ts'
import type { CallState, SessionState } from '../core/run/state.ts'
import type { Tool } from '../core/tool/tool.ts'
import { type Attempted, attempt } from './attempt.ts'
import { gatherFacts, judgeCall, recorded } from './judge.ts'
import { settle, settleExecution } from './settle.ts'
import { deniedRefusal, uncertainRefusal } from './step.ts'
import type { Task } from './task.ts'
import { askEvent, stillHolds } from './tickets.ts'
import { argumentsOf, invalid, type Refusal } from './validator.ts'

/**
 * Starts one call that is free to start: judges it on the newest facts, claims it, executes it, settles it.
 * It may end as refused or as an ask instead. Resolves when the call is at rest.
 */
export async function startCall(task: Task, call: CallState): Promise<void> {
  const tool = task.catalog.find(call.name)
  if (tool === undefined || tool.version !== call.version) return await voidCall(task, call, tool)
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return await refuse(task, call, invalid(parsed.fault).refused)
  const facts = await gatherFacts(task, tool, call.id, parsed.value)
  const input = { args: call.args as JsonValue, digest: call.digest as string }
  const judge = () => judgeCall(task, tool, input, facts)
  const shared = sharedOutcome(task.journal.state, tool, call)
  const claimed = await claim(task, tool, call, judge, shared)
  if (claimed === undefined || shared !== undefined) return
  await execute(task, tool, claimed)
}

/** A tool that is gone or has changed since the call was checked: what was decided about it no longer holds. */
async function voidCall(task: Task, call: CallState, tool: Tool | undefined): Promise<void> {
  const message =
    tool === undefined
      ? `The tool "${call.name}" is no longer there.`
      : `The tool "${call.name}" has changed since this call was checked; make the call again.`
  await refuse(task, call, { code: tool === undefined ? 'unknown_tool' : 'tool_changed', message })
}

async function refuse(task: Task, call: CallState, refusal: Refusal, decision?: Decision): Promise<void> {
  const why = decision === undefined ? {} : { decision: recorded(decision) }
  await task.journal.write((state) => {
    const now = state.calls.get(call.id)
    if (now?.status !== 'proposed' && now?.status !== 'decided') return []
    return [{ type: 'call.refused', call: call.id, ...refusal, ...why }]
  }, task.lease)
}

/** The outcome that an equal call of the same step had, when the tool lets equal calls share one. */
function sharedOutcome(state: SessionState, tool: Tool, call: CallState): CallOutcome | undefined {
  if (tool.dedupe !== 'share') return undefined
  for (const id of state.runs.get(call.run)?.stepCalls ?? []) {
    const other = state.calls.get(id)
    if (id === call.id || other === undefined || other.index > call.index) continue
    if (other.digest === call.digest && other.end?.status === 'completed') return other.end
  }
  return undefined
}

/**
 * The claim: decided on the state that it is written to, conditional on the lease. Gives the call as claimed,
 * or nothing when the verdict was another one.
 */
async function claim(
  task: Task,
  tool: Tool,
  call: CallState,
  judge: () => Decision,
  shared: CallOutcome | undefined,
): Promise<CallState | undefined> {
  await task.journal.write((state) => {
    const now = state.calls.get(call.id)
    if (now === undefined || (now.status !== 'proposed' && now.status !== 'decided')) return []
    return claimEvents(task, tool, now, judge(), shared)
  }, task.lease)
  const claimed = task.journal.state.calls.get(call.id)
  return claimed?.status === 'started' ? claimed : undefined
}

function claimEvents(
  task: Task,
  tool: Tool,
  call: CallState,
  decision: Decision,
  shared: CallOutcome | undefined,
): readonly Event[] {
  const { state } = task.journal
  const earlier = uncertainRefusal(task, call.digest as string)
  if (earlier !== undefined) return [{ type: 'call.refused', call: call.id, ...earlier }]
  if (decision.verdict === 'deny') {
    return [
      { type: 'call.refused', call: call.id, ...deniedRefusal(tool, decision), decision: recorded(decision) },
    ]
  }
  const ticket =
    call.status === 'decided' && call.ticket !== undefined ? state.tickets.get(call.ticket) : undefined
  const approved = ticket !== undefined && stillHolds(ticket, call, tool, decision)
  if (decision.verdict === 'ask' && !approved) {
    return [askEvent(task.parts.ids.next('ask'), call.id, call.digest as string, decision)]
  }
  const started = startedEvent(task, call, decision)
  return shared === undefined
    ? [started]
    : [started, outcomeEvent(call.id, shared, { tries: 0, durationMs: 0 })]
}

/** The event of a claim. */
export function startedEvent(task: Task, call: CallState, decision: Decision): Event {
  return {
    type: 'call.started',
    call: call.id,
    attempt: call.attempt + 1,
    epoch: task.lease.epoch,
    digest: call.digest as string,
    toolClass: decision.toolClass,
    decision: recorded(decision),
    ...(call.ticket === undefined ? {} : { ticket: call.ticket }),
  }
}

/** The event of an outcome. */
export function outcomeEvent(
  call: string,
  outcome: CallOutcome,
  facts: { tries: number; durationMs: number },
): Event {
  return outcome.status === 'completed'
    ? { type: 'call.completed', call, outcome, ...facts }
    : { type: 'call.failed', call, outcome, ...facts }
}

/** Executes a claimed call and writes its outcome; the outcome is a fact, so no lost lease can lose it. */
export async function execute(task: Task, tool: Tool, call: CallState): Promise<void> {
  const attempted = await attempt(task, tool, call)
  const outcome = await settle(unstopped(task), tool, call, attempted)
  const { tries, durationMs } = attempted
  await task.journal.write((state) =>
    state.calls.get(call.id)?.status === 'started'
      ? [outcomeEvent(call.id, outcome, { tries, durationMs })]
      : lateEvents(state, call.id, outcome),
  )
  if (attempted.late !== undefined) recordLate(task, tool, call, attempted.late)
}

function lateEvents(state: SessionState, call: string, outcome: CallOutcome): readonly Event[] {
  const now = state.calls.get(call)
  return now?.end?.status === 'failed' && now.late === undefined ? [{ type: 'call.late', call, outcome }] : []
}

/** What a tool gave is shaped to its end, whether the run was stopped in the meantime or not; shaping is bounded in time. */
function unstopped(task: Task): Task {
  return task.signal.aborted ? { ...task, signal: new AbortController().signal } : task
}

/** Nobody waits for a late report; when it comes, it is written down, whether the run was stopped since or not. */
function recordLate(task: Task, tool: Tool, call: CallState, late: NonNullable<Attempted['late']>): void {
  late
    .then((execution) => settleExecution(unstopped(task), tool, call, execution))
    .then((outcome) => task.journal.write((state) => lateEvents(state, call.id, outcome)))
    .catch(() => undefined)
}
