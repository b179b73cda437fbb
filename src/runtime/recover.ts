import type { CallOutcome, Event } from '../core/event.ts'
import type { Reconciliation } from '../core/executor.ts'
import type { JsonValue } from '../core/json/value.ts'
import { isEntered, wasLeft } from '../core/move/next.ts'
import { readReconciliation } from '../core/read-execution.ts'
import type { CallState } from '../core/run/state.ts'
import type { Tool } from '../core/tool/tool.ts'
import { gatherFacts, judgeCall } from './judge.ts'
import { orAborted } from './race.ts'
import { effectOf, settleExecution } from './settle.ts'
import { entryEvents, execute, outcomeEvent } from './start.ts'
import { deniedRefusal } from './step.ts'
import { surroundings } from './surroundings.ts'
import type { Task } from './task.ts'
import { argumentsOf, inputOf } from './validator.ts'

const nothingTried = { tries: 0, durationMs: 0 }

/**
 * A call that was claimed by an owner who is gone, and has no outcome. It runs again only if the tool says
 * that twice is as good as once, or that it never ran; else what became of it is asked of the tool, and
 * when nobody knows, the call is uncertain.
 */
export async function recoverCall(task: Task, call: CallState): Promise<void> {
  const tool = task.catalog.find(call.name)
  if (tool === undefined || tool.version !== call.version) return await abandonCall(task, call)
  if (mayRunAgain(tool, call)) return await runAgain(task, tool, call)
  const found = await lookFor(task, tool, call)
  if (found.found === 'not_run') return await runAgain(task, tool, call)
  if (found.found === 'unknown') return await abandonCall(task, call)
  await writeOutcome(task, call, await outcomeFrom(task, tool, call, found))
}

/** Whether a call that rests would be entered as things stand; one that would not ends when it is taken up. */
export async function wouldEnter(task: Task, call: CallState): Promise<boolean> {
  const tool = task.catalog.find(call.name)
  if (tool === undefined || tool.version !== call.version) return false
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return false
  const facts = await gatherFacts(task, tool, call.id, parsed.value)
  const input = { args: call.args as JsonValue, digest: call.digest as string }
  return judgeCall(task, tool, input, facts).verdict !== 'deny'
}

function mayRunAgain(tool: Tool, call: CallState): boolean {
  return call.status === 'resting' || (tool.repeatable ?? effectOf(call) === 'none')
}

/** A new claim under the new lease; judged again, since everything may have changed in the meantime. */
async function runAgain(task: Task, tool: Tool, call: CallState): Promise<void> {
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return await abandonCall(task, call)
  const facts = await gatherFacts(task, tool, call.id, parsed.value)
  const input = { args: call.args as JsonValue, digest: call.digest as string }
  await task.journal.write((state): readonly Event[] => {
    const now = state.calls.get(call.id)
    if (now === undefined || !(wasLeft(now, task.lease.epoch) || now.status === 'resting')) return []
    const decision = judgeCall(task, tool, input, facts)
    if (decision.verdict !== 'deny') return entryEvents(task, tool, now, decision)
    const { code, message } = deniedRefusal(tool, decision)
    return [outcomeEvent(call.id, { status: 'failed', code, message, effect: effectOf(call) }, nothingTried)]
  }, task.lease)
  const claimed = task.journal.state.calls.get(call.id)
  if (claimed?.status === 'started' && claimed.epoch === task.lease.epoch) await execute(task, tool, claimed)
}

async function lookFor(task: Task, tool: Tool, call: CallState): Promise<Reconciliation> {
  const { reconcile } = tool.executor
  if (reconcile === undefined) return { found: 'unknown' }
  const { id, name, digest = '', attempt: claim } = call
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return { found: 'unknown' }
  const { value: args } = parsed
  const input = await inputOf(task, tool, call)
  if ('fault' in input) return { found: 'unknown' }
  try {
    const looking = reconcile(
      { id, name, claim, args, digest, ...input },
      surroundings(task, id, task.signal, call.attempt),
    )
    const ended = await orAborted(looking, task.signal)
    return readReconciliation('value' in ended ? ended.value : undefined)
  } catch {
    return { found: 'unknown' }
  }
}

async function outcomeFrom(
  task: Task,
  tool: Tool,
  call: CallState,
  found: Reconciliation,
): Promise<CallOutcome> {
  switch (found.found) {
    case 'completed':
      return await settleExecution(task, tool, call, { status: 'completed', value: found.value })
    case 'failed':
      return { status: 'failed', code: 'tool_error', message: found.message, effect: 'none' }
    default:
      return interrupted(call)
  }
}

function interrupted(call: CallState): CallOutcome {
  const message =
    call.status === 'resting'
      ? `The tool "${call.name}" has changed while this call waited.`
      : `The process ended while "${call.name}" ran.`
  return { status: 'failed', code: 'interrupted', message, effect: effectOf(call) }
}

/** A call of an owner who is gone, for whose outcome nobody looks any more: its children are stopped. */
export async function abandonCall(task: Task, call: CallState): Promise<void> {
  if (call.children !== undefined)
    await task.children?.stop(call, new Error('The call that started this run was given up.'), 'bound')
  await writeOutcome(task, call, interrupted(call))
}

async function writeOutcome(task: Task, call: CallState, outcome: CallOutcome): Promise<void> {
  await task.journal.write((state) => {
    const now = state.calls.get(call.id)
    // Who lost the session gives nothing up that its new owner may be running.
    const isOurs = now?.attempt === call.attempt && (now.epoch ?? 0) <= task.lease.epoch
    return isOurs && isEntered(now) ? [outcomeEvent(call.id, outcome, nothingTried)] : []
  }, task.lease)
}
