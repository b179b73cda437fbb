import type { Actor, CallOutcome, Event, EventOf } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { Decision } from '../core/policy/evaluate.ts'
import type { CallEnd, CallState, SessionState } from '../core/run/state.ts'
import type { Tool } from '../core/tool/tool.ts'
import { type Attempted, attempt } from './attempt.ts'
import { beforeEntry } from './before-entry.ts'
import { toldOf } from './budget.ts'
import { giveBack } from './give-back.ts'
import { gatherFacts, judgeCall, recorded } from './judge.ts'
import { settle, settleExecution } from './settle.ts'
import { deniedRefusal, uncertainRefusal } from './step.ts'
import type { Task } from './task.ts'
import { askEvent, inputEvent, stillHolds } from './tickets.ts'
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
  await task.scopes?.refresh()
  const facts = await gatherFacts(task, tool, call.id, parsed.value)
  const input = { args: call.args as JsonValue, digest: call.digest as string }
  const judge = () => judgeCall(task, tool, input, facts)
  const first = sharedCall(task.journal.state, tool, call)
  if (first?.end?.status === 'refused') return await refuse(task, call, refusalOf(first.end))
  const shared = first?.end?.status === 'completed' ? first.end : undefined
  const hooked = shared === undefined ? await askHooks(task, tool, call, judge) : undefined
  if (task.signal.aborted) return
  if (hooked !== undefined && 'refusal' in hooked) return await refuse(task, call, hooked.refusal)
  const given = shared === undefined ? hooked : { outcome: shared, isShared: true }
  const claimed = await claim(task, tool, call, judge, given)
  if (claimed === undefined || given?.outcome !== undefined) return
  await execute(task, tool, claimed)
}

/** An outcome that stands before the tool is entered: a hook's, or that of an equal call. */
interface Given {
  readonly outcome?: CallOutcome
  readonly isShared?: boolean
}

type Refused = Extract<CallEnd, { readonly status: 'refused' }>

/** The hooks before a tool are asked about a call that would be claimed now, and about no other. */
async function askHooks(task: Task, tool: Tool, call: CallState, judge: () => Decision) {
  const now = task.journal.state.calls.get(call.id)
  if (task.hooks === undefined || now === undefined) return undefined
  const decision = judge()
  const [event] = claimEvents(task, tool, now, decision, undefined)
  if (event?.type !== 'call.started') return undefined
  return await beforeEntry(task, tool, { ...now, toolClass: decision.toolClass })
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
  const told = toldOf(task.budget, refusal.message)
  await task.journal.write((state) => {
    const now = state.calls.get(call.id)
    if (now?.status !== 'proposed' && now?.status !== 'decided') return []
    return [{ type: 'call.refused', call: call.id, ...refusal, ...told, ...why }]
  }, task.lease)
}

/** The equal call of the same step whose end counts for this one, unless one of them was changed in the meantime. */
function sharedCall(state: SessionState, tool: Tool, { shares, digest }: CallState): CallState | undefined {
  const first = tool.dedupe === 'share' && shares !== undefined ? state.calls.get(shares) : undefined
  return first?.digest === digest ? first : undefined
}

function refusalOf({ code, category, message }: Refused): Refusal {
  return { code, message, ...(category === undefined ? {} : { category }) }
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
  given: Given | undefined,
): Promise<CallState | undefined> {
  await task.journal.write((state) => {
    const now = state.calls.get(call.id)
    if (now === undefined || (now.status !== 'proposed' && now.status !== 'decided')) return []
    return claimEvents(task, tool, now, judge(), given)
  }, task.lease)
  const claimed = task.journal.state.calls.get(call.id)
  // Another process may have taken over and claimed it in the meantime: that claim is not ours to execute.
  return claimed?.status === 'started' && claimed.epoch === task.lease.epoch ? claimed : undefined
}

function claimEvents(
  task: Task,
  tool: Tool,
  call: CallState,
  decision: Decision,
  given: Given | undefined,
): readonly Event[] {
  const { state } = task.journal
  const earlier = uncertainRefusal(task, call.digest as string)
  if (earlier !== undefined) return [{ type: 'call.refused', call: call.id, ...earlier }]
  if (decision.verdict === 'deny') {
    return [
      { type: 'call.refused', call: call.id, ...deniedRefusal(tool, decision), decision: recorded(decision) },
    ]
  }
  // Whoever was asked about the equal call has answered for this one too.
  const isShared = given?.isShared === true
  const wanted = call.askAgain === true ? askedAgain(decision) : decision
  if (wanted.verdict === 'ask' && !isShared && !isApproved(state, call, tool, wanted)) {
    return [askEvent(task, call.id, call.digest as string, wanted)]
  }
  if (tool.yieldSchema !== undefined && call.input === undefined && !isShared)
    return [inputEvent(task, tool, call, decision)]
  if (given?.outcome === undefined) return entryEvents(task, tool, call, decision)
  const started = startedEvent(task, call, decision)
  return [started, outcomeEvent(call.id, given.outcome, { tries: 0, durationMs: 0 })]
}

/** A person had been asked about the call before its tool changed; he decides about what became of it, too. */
function askedAgain(decision: Decision): Decision {
  if (decision.verdict !== 'run') return decision
  const reason = 'Its tool changed after this call was asked about, and it has other arguments now.'
  return { ...decision, verdict: 'ask', reason }
}

function isApproved(state: SessionState, call: CallState, tool: Tool, decision: Decision): boolean {
  const id = call.approval ?? call.ticket
  const ticket = call.status === 'decided' && id !== undefined ? state.tickets.get(id) : undefined
  return ticket?.kind === 'approval' && stillHolds(ticket, call, tool, decision)
}

/**
 * The claim of a call that is to be carried now; what is handed out to somebody outside is so in the same append, since
 * a claim without its ticket would be a call that nobody can end.
 */
export function entryEvents(task: Task, tool: Tool, call: CallState, decision: Decision): readonly Event[] {
  const started = startedEvent(task, call, decision)
  if (tool.executor.handsOut !== true) return [started]
  const ticket = task.parts.ids.next('execution')
  return [started, { type: 'execution.requested', ticket, call: call.id, digest: call.digest as string }]
}

/** The event of a claim. */
function startedEvent(task: Task, call: CallState, decision: Decision): Event {
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

type OutcomeFacts = Omit<EventOf<'call.failed'>, 'type' | 'call' | 'outcome'>

/** The event of an outcome. */
export function outcomeEvent(call: string, outcome: CallOutcome, facts: OutcomeFacts): Event {
  return outcome.status === 'completed'
    ? { type: 'call.completed', call, outcome, ...facts }
    : { type: 'call.failed', call, outcome, ...facts }
}

/** Executes a claimed call and writes its outcome; the outcome is a fact, so no lost lease can lose it. */
export async function execute(task: Task, tool: Tool, call: CallState): Promise<void> {
  const attempted = await attempt(task, tool, call)
  const { result, tries, durationMs } = attempted
  if (result.status === 'resting') return await giveBack(task, call, result)
  await stopChildren(task, call, result)
  const outcome = await settle(unstopped(task), tool, call, result)
  if (outcome.status === 'failed')
    await task.hooks?.failed({ tool, call, signal: unstopped(task).signal }, outcome)
  const told = outcome.status === 'failed' ? toldOf(task.budget, outcome.message) : {}
  await task.journal.write((state) =>
    isClaim(state.calls.get(call.id), call)
      ? [outcomeEvent(call.id, outcome, { tries, durationMs, ...told })]
      : lateEvents(state, call.id, outcome),
  )
  if (attempted.late !== undefined) recordLate(task, tool, call, attempted.late)
}

/** Whether a call still stands as it was claimed: an outcome is that of its own claim and of no later one. */
function isClaim(now: CallState | undefined, claimed: CallState): boolean {
  return now?.status === 'started' && now.attempt === claimed.attempt
}

/** Those that have not ended have nobody who waits for them: of a call that was stopped, or that did without them. */
async function stopChildren(task: Task, call: CallState, result: Attempted['result']): Promise<void> {
  const now = task.journal.state.calls.get(call.id)
  const reason = result.status === 'abandoned' ? result.reason : new Error('The call above has ended.')
  if (now?.children !== undefined) await task.children?.stop(now, reason)
}

/** Of a call that was given up, what is heard of it afterwards: once. */
export function lateEvents(
  state: SessionState,
  call: string,
  outcome: CallOutcome,
  by?: Actor,
): readonly Event[] {
  const now = state.calls.get(call)
  if (now?.end?.status !== 'failed' || now.late !== undefined) return []
  return [{ type: 'call.late', call, outcome, ...(by === undefined ? {} : { by }) }]
}

/** What a tool gave is shaped to its end, whether the run was stopped in the meantime or not; shaping is bounded in time. */
function unstopped(task: Task): Task {
  return task.signal.aborted ? { ...task, signal: new AbortController().signal } : task
}

/** Nobody waits for a late report; when it comes, it is written down, whether the run was stopped since or not. */
function recordLate(task: Task, tool: Tool, call: CallState, late: NonNullable<Attempted['late']>): void {
  late
    .then(async (execution) => {
      if (execution.status === 'resting') return
      const outcome = await settleExecution(unstopped(task), tool, call, execution)
      await task.journal.write((state) => lateEvents(state, call.id, outcome))
    })
    .catch(() => undefined)
}
