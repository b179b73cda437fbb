import type { Event, RunEnding } from '../core/event.ts'
import { endsRun, type Move, nextMove } from '../core/move/next.ts'
import type { CallState, RunState, SessionState } from '../core/run/state.ts'
import { cancelRun, closeOpenCalls } from './cancel.ts'
import { orAborted } from './race.ts'
import { abandonCall, recoverCall } from './recover.ts'
import { startCall } from './start.ts'
import { takeStep } from './step.ts'
import type { Answer, Task } from './task.ts'

/** What the life of a run takes from whoever drives it. */
export interface Driving {
  readonly task: Task
  /** Asks the model for its next step; a throw ends the run as failed. */
  readonly propose: (step: number) => Promise<Answer>
  /**
   * Waits while every open call waits on a ticket. `again`: something may have changed; `leave`: nobody
   * waits here any longer, and the run rests in the store.
   */
  readonly rest: (tickets: readonly string[]) => Promise<'again' | 'leave'>
  /** The sentence for a run that a failing model ended. */
  readonly describe: (error: unknown) => string
}

/**
 * Drives a run until it ends or rests: asks the log for the next move, makes it, and asks again. It holds
 * nothing that is not in the log but the calls that run at this moment, so that it can begin anywhere.
 */
export async function advance(driving: Driving): Promise<'ended' | 'resting'> {
  const { task } = driving
  const running = new Map<string, Promise<void>>()
  try {
    for (;;) {
      if (task.signal.aborted) {
        await Promise.all(running.values())
        for (const call of startedCalls(task)) await abandonCall(task, call)
        await cancelRun(task)
        return 'ended'
      }
      const move = nextMove(task.journal.state, runOf(task), task.lease.epoch)
      const result = await make(driving, move, running)
      if (result !== 'on') return result
    }
  } finally {
    await Promise.allSettled(running.values())
  }
}

function startedCalls(task: Task): CallState[] {
  const { calls } = task.journal.state
  return runOf(task)
    .stepCalls.map((id) => calls.get(id) as CallState)
    .filter((call) => call.status === 'started')
}

function runOf(task: Task): RunState {
  return task.journal.state.runs.get(task.run) as RunState
}

async function make(
  driving: Driving,
  move: Move,
  running: Map<string, Promise<void>>,
): Promise<'on' | 'ended' | 'resting'> {
  const { task } = driving
  switch (move.move) {
    case 'model':
      return await askModel(driving, move.step)
    case 'recover':
      for (const call of move.calls) await recoverCall(task, call)
      return 'on'
    case 'start':
      for (const call of move.calls) {
        if (!running.has(call.id)) running.set(call.id, settleOne(task, call.id, running))
      }
      await Promise.race(running.values())
      return 'on'
    case 'settle':
      await Promise.race(running.values())
      return 'on'
    case 'rest':
      return await atRest(driving, move.tickets, running)
    case 'end':
      await end(task, move.by)
      return 'on'
    case 'none':
      return 'ended'
  }
}

async function settleOne(task: Task, id: string, running: Map<string, Promise<void>>): Promise<void> {
  try {
    const call = task.journal.state.calls.get(id)
    if (call !== undefined) await startCall(task, call)
    const ended = task.journal.state.calls.get(id)
    if (ended !== undefined && endsRun(ended)) await closeOpenCalls(task, 'An earlier call ended the run.')
  } finally {
    running.delete(id)
  }
}

async function askModel(driving: Driving, step: number): Promise<'on' | 'ended'> {
  const { task } = driving
  const proposed = await orAborted(driving.propose(step), task.signal).catch((error) => ({ error }))
  if ('error' in proposed && !task.signal.aborted) {
    await writeEnd(task, 'failed', driving.describe(proposed.error))
    return 'ended'
  }
  if ('value' in proposed) await takeStep(task, proposed.value)
  return 'on'
}

async function atRest(
  driving: Driving,
  tickets: readonly string[],
  running: Map<string, Promise<void>>,
): Promise<'on' | 'resting'> {
  if (running.size > 0) {
    await Promise.race(running.values())
    return 'on'
  }
  return (await driving.rest(tickets)) === 'again' ? 'on' : 'resting'
}

type EndedBy = Extract<Move, { move: 'end' }>['by']

const endings: Readonly<Record<EndedBy, RunEnding>> = {
  text: 'completed',
  control: 'completed',
  cut_short: 'cut_short',
  step_limit: 'step_limit',
  call_limit: 'call_limit',
  uncertain: 'uncertain',
}

async function end(task: Task, by: EndedBy): Promise<void> {
  const { state } = task.journal
  const output = by === 'control' ? outputOf(state, runOf(task)) : undefined
  const extra = output === undefined ? {} : { output }
  await writeEnd(task, endings[by], endText(state, by), extra)
}

async function writeEnd(task: Task, status: RunEnding, text: string, extra: object = {}): Promise<void> {
  const ended: Event = { type: 'run.ended', run: task.run, status, text, ...extra }
  await task.journal.write(
    (state) => (state.runs.get(task.run)?.ended === undefined ? [ended] : []),
    task.lease,
  )
}

function outputOf(state: SessionState, run: RunState) {
  for (const id of run.stepCalls) {
    const call = state.calls.get(id)
    if (call !== undefined && endsRun(call) && call.end?.status === 'completed') return call.end.value
  }
  return undefined
}

function endText(state: SessionState, by: EndedBy): string {
  if (by === 'step_limit') return 'The run used all of its steps before the model was done.'
  if (by === 'call_limit') return 'The run used all of its calls before the model was done.'
  if (by === 'uncertain') return 'Nobody saw the outcome of a call; find out, and reconcile it.'
  const last = state.history.at(-1)
  if (last?.role !== 'assistant') return ''
  return last.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}
