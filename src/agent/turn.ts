import { shorterAskTimes } from '../core/ask-times.ts'
import { isToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import type { Bounds } from '../core/policy/bounds.ts'
import type { StoredEvent } from '../core/store.ts'
import { advance, type Driving } from '../runtime/advance.ts'
import { noteGiven, ResultBudget, spentBytes } from '../runtime/budget.ts'
import type { Journal } from '../runtime/journal.ts'
import type { Ownership } from '../runtime/ownership.ts'
import { linkedSignal } from '../runtime/race.ts'
import type { Answer, Task } from '../runtime/task.ts'
import { type Answerers, Approver } from './approver.ts'
import { ChildRuns } from './children/child-runs.ts'
import type { TreeCount } from './children/tree-count.ts'
import type { Definition } from './definition.ts'
import type { DriveSession } from './drive-input.ts'
import { isHookStop, reportError } from './hook-stop.ts'
import { outputOfRun } from './output-option.ts'
import { Bell, restUntilChange } from './rest.ts'
import type { RunClocks } from './run-clocks.ts'
import type { Delta } from './run-event.ts'
import { openScopes } from './session-values.ts'
import { judgeFailure } from './tool-failure.ts'
import { toolHooks } from './tool-hooks.ts'

/** What one drive of a run is given. */
export interface Turn {
  readonly definition: Definition
  readonly journal: Journal
  readonly ownership: Ownership
  readonly run: string
  readonly signal: AbortSignal
  readonly clocks: RunClocks
  readonly emit: (delta: Delta) => void
  /** Who proposes the next step: the model, or another loop that hands in what its model said. */
  readonly propose: (task: Task, step: number) => Promise<Answer>
  /** What the agents above allow; absent at the top. */
  readonly bounds?: () => Bounds
  /** Counts the child runs of the whole tree. */
  readonly tree: TreeCount
  /** Drives the runs that the calls of this one start. */
  readonly drive: DriveSession
}

/** Drives a run until it ends or rests, with the approval handler at its side. */
export async function driveRun(turn: Turn): Promise<'ended' | 'resting'> {
  const { definition, journal, ownership, signal } = turn
  const linked = linkedSignal([signal, ownership.lost])
  const scopes = await openScopes(turn)
  const bell = new Bell()
  const children: ChildRuns = new ChildRuns(
    () => ({ definition, task, drive: turn.drive, tree: turn.tree }),
    () => {
      turn.clocks.touch()
      bell.ring()
    },
  )
  turn.clocks.pauseWhile(() => children.isBusy)
  const task: Task = { ...taskOf(turn, linked.signal), scopes, children }
  const approver = new Approver(task, answerersOf(turn), () => bell.ring())
  const follow = (event: StoredEvent) => {
    approver.onEvent(event)
    noteGiven(task.budget, event.event)
    bell.ring()
  }
  const stop = () => {
    approver.stop(task.signal.reason)
    bell.ring()
  }
  const unlisten = journal.listen(follow)
  task.signal.addEventListener('abort', stop, { once: true })
  try {
    if (!task.signal.aborted) {
      for (const ticket of journal.state.runs.get(turn.run)?.openTickets ?? []) approver.bring(ticket)
      children.takeUp()
    }
    const came = await advance({
      task,
      propose: (step) => turn.propose(task, step),
      rest: (rest) => {
        children.throwIfRefused()
        const answersInputs = definition.inputs !== undefined
        return restUntilChange({ task, approver, bell, children, answersInputs }, rest)
      },
      ...(definition.failFast === true ? { failFast: true } : {}),
      ...strictly(task, definition),
      describe: (error) => describe(error),
      endingFor: (error) => (isHookStop(error) ? error.status : 'failed'),
    })
    if (task.signal.aborted) await children.stopAll(task.signal.reason)
    else children.throwIfRefused()
    return came
  } finally {
    await children.settled()
    unlisten()
    task.signal.removeEventListener('abort', stop)
    linked.release()
    approver.stop(new Error('The run is at rest.'))
  }
}

/** Who answers, and who is told when that fails: the hooks, and whoever looks on. */
function answerersOf({ definition, emit }: Turn): Answerers {
  const onFault: Answerers['onFault'] = (source, ticket, error) => {
    reportError(definition.hooks, source, error)
    emit({ type: 'warning', message: `"${source}" failed to answer ${ticket}: ${messageOf(error, 500)}` })
  }
  return { ...definition, onFault }
}

function taskOf(turn: Turn, signal: AbortSignal): Task {
  const { definition, journal, ownership, run, emit } = turn
  const mode = journal.state.runs.get(run)?.mode
  return {
    ...(mode === undefined ? {} : { mode }),
    parts: definition.parts,
    journal,
    lease: ownership.lease,
    run,
    agent: definition.name,
    catalog: definition.catalog,
    layers: () => definition.layers,
    ...outputOfRun(definition, journal.state.runs.get(run)),
    budget: new ResultBudget(definition.results, spentBytes(journal.state.calls.values(), run)),
    ...(turn.bounds === undefined ? {} : { bounds: turn.bounds }),
    ...shorterAskTimes(definition, turn.bounds?.()),
    ...toolHooks(definition.hooks, { parts: definition.parts, journal, run, agent: definition.name }),
    signal,
    onProgress: (call, progress) => emit({ type: 'call.progressed', call, progress }),
    onWarning: (message) => emit({ type: 'warning', message }),
  }
}

/** Whether a failed call ends the run: by the agent's rule, and where the tree of agents may not grow any more. */
function strictly(task: Task, { onToolFailure = 'tell' }: Definition): Pick<Driving, 'onFailure'> {
  return { onFailure: (call) => judgeFailure(task, onToolFailure, call) }
}

function describe(error: unknown): string {
  const text = messageOf(error)
  return isToolpostError(error) || isHookStop(error) ? text : `The model failed: ${text}`
}
