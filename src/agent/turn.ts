import { isToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import type { StoredEvent } from '../core/store.ts'
import { advance } from '../runtime/advance.ts'
import { ResultBudget, spentBytes } from '../runtime/budget.ts'
import type { Journal } from '../runtime/journal.ts'
import type { Ownership } from '../runtime/ownership.ts'
import { linkedSignal } from '../runtime/race.ts'
import type { Answer, Task } from '../runtime/task.ts'
import { Approver } from './approver.ts'
import type { Definition } from './definition.ts'
import { Bell, restOnTickets } from './rest.ts'
import type { Delta } from './run-event.ts'

/** What one drive of a run is given. */
export interface Turn {
  readonly definition: Definition
  readonly journal: Journal
  readonly ownership: Ownership
  readonly run: string
  readonly signal: AbortSignal
  readonly emit: (delta: Delta) => void
  /** Who proposes the next step: the model, or another loop that hands in what its model said. */
  readonly propose: (task: Task, step: number) => Promise<Answer>
}

/** Drives a run until it ends or rests, with the approval handler at its side. */
export async function driveRun(turn: Turn): Promise<'ended' | 'resting'> {
  const { definition, journal, ownership, signal } = turn
  const linked = linkedSignal([signal, ownership.lost])
  const task = taskOf(turn, linked.signal)
  const bell = new Bell()
  const approver = new Approver(task, definition.approvals, () => bell.ring())
  const follow = (event: StoredEvent) => {
    approver.onEvent(event)
    bell.ring()
  }
  const stop = () => {
    approver.stop(task.signal.reason)
    bell.ring()
  }
  const unlisten = journal.listen(follow)
  task.signal.addEventListener('abort', stop, { once: true })
  try {
    for (const ticket of journal.state.runs.get(turn.run)?.openTickets ?? []) approver.bring(ticket)
    return await advance({
      task,
      propose: (step) => turn.propose(task, step),
      rest: (tickets) => restOnTickets(task, approver, bell, tickets),
      describe: (error) => describe(error),
    })
  } finally {
    unlisten()
    task.signal.removeEventListener('abort', stop)
    linked.release()
    approver.stop(new Error('The run is at rest.'))
  }
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
    budget: new ResultBudget(definition.results, spentBytes(journal.state.calls.values(), run)),
    signal,
    onProgress: (call, progress) => emit({ type: 'call.progressed', call, progress }),
  }
}

function describe(error: unknown): string {
  const text = messageOf(error)
  return isToolpostError(error) ? text : `The model failed: ${text}`
}
