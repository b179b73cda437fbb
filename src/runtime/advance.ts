import { isToolpostError } from '../core/error.ts'
import { isEntered, type Move, nextMove, wasTakenOver } from '../core/move/next.ts'
import type { CallState, RunState } from '../core/run/state.ts'
import { cancelRun } from './cancel.ts'
import { endRun, writeEnd } from './end-run.ts'
import { turnBeforeMove } from './event-loop-turn.ts'
import { endResting } from './give-back.ts'
import { leaseLost } from './ownership.ts'
import { orAborted } from './race.ts'
import { abandonCall, recoverCall } from './recover.ts'
import { RunningCalls } from './running-calls.ts'
import { startCall } from './start.ts'
import { takeStep } from './step.ts'
import { type FailureVerdict, StrictEnding } from './strict.ts'
import type { Answer, Task } from './task.ts'

/** What the life of a run takes from whoever drives it. */
export interface Driving {
  readonly task: Task
  /** Asks the model for its next step; a throw ends the run as failed. */
  readonly propose: (step: number) => Promise<Answer>
  /**
   * Waits while every open call waits: for a ticket, for child runs, for a time. `again`: something may have changed;
   * calls: what these waited for is there; `leave`: nobody waits here any longer, and the run rests in the store.
   */
  readonly rest: (rest: Rest) => Promise<'again' | 'leave' | readonly CallState[]>
  /** A call of a step that fails ends the other calls of its step; a driver that is no model says so. */
  readonly failFast?: boolean
  /** Whether a failed call ends the run; absent: the model is told of all of them. */
  readonly onFailure?: (call: CallState) => Promise<FailureVerdict>
  /** The sentence for a run that a failing model ended. */
  readonly describe: (error: unknown) => string
  /** How such a run has ended; default `failed`. */
  readonly endingFor?: (error: unknown) => 'failed' | 'refused'
}

/** What a run waits for. */
export interface Rest {
  readonly tickets: readonly string[]
  readonly resting: readonly CallState[]
  /** Resolves when one of the calls that still run has settled; absent when none runs. */
  readonly busy?: Promise<unknown>
}

/**
 * Drives a run until it ends or rests: asks the log for the next move, makes it, and asks again. It holds
 * nothing that is not in the log but the calls that run at this moment, so that it can begin anywhere.
 */
export async function advance(driving: Driving): Promise<'ended' | 'resting'> {
  const { task } = driving
  const running = new RunningCalls(task, driving.failFast === true)
  const strict = driving.onFailure && new StrictEnding(task, driving.onFailure)
  try {
    for (;;) {
      await turnBeforeMove()
      running.throwIfBroken()
      if (wasTakenOver(task.journal.state, runOf(task), task.lease.epoch))
        throw leaseLost(task.journal.stream)
      if (task.signal.aborted) {
        await running.all()
        // Who lost the session stops nothing of it: its new owner goes on with it, and with its children.
        if (isLeaseLost(task.signal.reason)) throw task.signal.reason
        for (const call of enteredCalls(task)) {
          if (call.status === 'resting') await endResting(task, call, task.signal.reason)
          else await abandonCall(task, call)
        }
        await cancelRun(task)
        return 'ended'
      }
      if (driving.failFast === true && isFailedStep(task)) {
        await running.failStep(() => enteredCalls(task))
        for (const call of enteredCalls(task)) await abandonCall(task, call)
      }
      if (await strict?.hasEnded()) return 'ended'
      // It may have been stopped while a rule of the agent was asked.
      if (task.signal.aborted) continue
      const move = nextMove(task.journal.state, runOf(task), task.lease.epoch)
      const result = await make(driving, move, running)
      if (result !== 'on') return result
    }
  } finally {
    await running.over()
  }
}

function isLeaseLost(reason: unknown): boolean {
  return isToolpostError(reason) && reason.code === 'LEASE_LOST'
}

/** Whether a call of the newest step has failed while others of it have not ended. */
function isFailedStep(task: Task): boolean {
  const calls = runOf(task).stepCalls.map((id) => task.journal.state.calls.get(id) as CallState)
  const hasFailed = calls.some(({ end }) => end !== undefined && end.status !== 'completed')
  return hasFailed && calls.some(({ end }) => end === undefined)
}

function enteredCalls(task: Task): CallState[] {
  const { calls } = task.journal.state
  return runOf(task)
    .stepCalls.map((id) => calls.get(id) as CallState)
    .filter(isEntered)
}

function runOf(task: Task): RunState {
  return task.journal.state.runs.get(task.run) as RunState
}

async function make(
  driving: Driving,
  move: Move,
  running: RunningCalls,
): Promise<'on' | 'ended' | 'resting'> {
  const { task } = driving
  switch (move.move) {
    case 'model':
      return await askModel(driving, move.step)
    case 'recover':
      await running.enter(move.calls, recoverCall)
      return 'on'
    case 'start':
      await running.enter(move.calls, startCall)
      return 'on'
    case 'settle':
      // What nobody here runs can be taken up under a new lease alone; waiting for it would never end.
      if (running.size === 0) throw leaseLost(task.journal.stream)
      await running.first()
      return 'on'
    case 'rest':
      return await atRest(driving, move, running)
    case 'end':
      await endRun(task, move.by)
      return 'on'
    case 'none':
      return 'ended'
  }
}

async function askModel(driving: Driving, step: number): Promise<'on' | 'ended'> {
  const { task } = driving
  const proposed = await orAborted(driving.propose(step), task.signal).catch((error) => ({ error }))
  if ('error' in proposed && !task.signal.aborted) {
    const status = driving.endingFor?.(proposed.error) ?? 'failed'
    await writeEnd(task, { status, text: driving.describe(proposed.error) })
    return 'ended'
  }
  if ('value' in proposed) await takeStep(task, proposed.value)
  return 'on'
}

async function atRest(
  driving: Driving,
  { tickets, resting }: Extract<Move, { move: 'rest' }>,
  running: RunningCalls,
): Promise<'on' | 'resting'> {
  const busy = running.size === 0 ? undefined : running.first()
  busy?.catch(() => undefined)
  if (busy !== undefined && resting.length === 0) {
    await busy
    return 'on'
  }
  const rested = await driving.rest({ tickets, resting, ...(busy === undefined ? {} : { busy }) })
  if (typeof rested === 'string') return rested === 'again' ? 'on' : 'resting'
  await running.enter(rested, recoverCall)
  return 'on'
}
