import type { ChildOptions, ChildResult } from '../../core/child.ts'
import { ToolpostError } from '../../core/error.ts'
import type { Event, ParentLink } from '../../core/event.ts'
import type { RunState, SessionState } from '../../core/run/state.ts'
import type { LeaseProof } from '../../core/store.ts'
import { Journal } from '../../runtime/journal.ts'
import type { Task } from '../../runtime/task.ts'
import type { Definition } from '../definition.ts'
import { refuseOtherStructure } from '../flows/structure.ts'
import { runStartedEvent } from '../run-started.ts'
import { initialEvents } from '../state-options.ts'
import { watchEvents } from '../watch-events.ts'
import { boundsOf, modeOfChild } from './bounds-of.ts'
import type { ChildOrder } from './running-child.ts'

/** A child's session follows from its call and its number, so that a call that is entered again finds it. */
export function childSession({ call, index }: Pick<ChildOrder, 'call' | 'index'>): string {
  return `${call}.${index}`
}

/** The one run that a call starts in a child's session. */
export function childRun(session: string): string {
  return `${session}.run`
}

/** The child as it runs under this agent: in its store and by its clock; it asks this one's people if it has none. */
export function adopted(above: Definition, child: Definition): Definition {
  const { approvals = above.approvals, inputs = above.inputs } = child
  return {
    ...child,
    parts: above.parts,
    ...(approvals === undefined ? {} : { approvals }),
    ...(inputs === undefined ? {} : { inputs }),
  }
}

/**
 * Writes down that a call starts a child, once. Errors: DEFINITION_CHANGED when another agent stands at its number,
 * ILLEGAL_EVENT when the call has ended.
 */
export async function recordChild(task: Task, order: ChildOrder): Promise<void> {
  const { call, index, agent, kind } = order
  const session = childSession(order)
  const started: Event = {
    type: 'child.started',
    run: task.run,
    call,
    index,
    session,
    agent: agent.name,
    kind,
  }
  await task.journal.write((state) => {
    const before = state.calls.get(call)?.children?.[index]
    if (before === undefined) return [started]
    if (before.agent === agent.name && before.kind === kind) return []
    throw new ToolpostError(
      'DEFINITION_CHANGED',
      `Child ${index} of the call ${call} was ${before.kind} "${before.agent}" before, and is ${kind} "${agent.name}" now; a call that is entered again must start the same agents in the same order.`,
    )
  }, task.lease)
}

/** The child's log, begun if there is none. */
export async function openChild(task: Task, child: Definition, order: ChildOrder): Promise<Journal> {
  const { store, clock } = task.parts
  const session = childSession(order)
  const journal = new Journal(store, session, clock)
  await journal.refresh()
  watchEvents(child.hooks, journal)
  const { id, subject, parent } = task.journal.state
  const link: ParentLink = {
    session: id,
    run: task.run,
    call: order.call,
    path: [...(parent?.path ?? []), task.agent],
    root: parent?.root ?? id,
    kind: order.kind,
    bounds: boundsOf(task),
  }
  const mode = modeOfChild(child, order.options?.mode, task.mode)
  const given = mode === undefined ? {} : { mode }
  await journal.write((state) =>
    state.sequence > 0
      ? []
      : [
          { type: 'session.started', session, subject, agent: child.name, ...given, parent: link },
          ...initialEvents(child.state),
        ],
  )
  return journal
}

/** Starts the child's run, once. Errors: DEFINITION_CHANGED for a flow that is another one now. */
export async function beginChild(
  child: Definition,
  journal: Journal,
  options: ChildOptions | undefined,
  lease: LeaseProof,
): Promise<string> {
  const run = childRun(journal.state.id)
  await journal.write((state) => {
    if (state.runs.has(run)) return []
    const { mode } = state
    const message = { role: 'user', text: options?.input ?? '' } as const
    return [runStartedEvent(child, state, { run, mode }), { type: 'message.added', run, message }]
  }, lease)
  refuseOtherStructure(child, journal.state.runs.get(run))
  return run
}

/** How the child's run ended; undefined while it has not. */
export function childResult(state: SessionState): ChildResult | undefined {
  const run = childRun(state.id)
  const ended: RunState['ended'] = state.runs.get(run)?.ended
  if (ended === undefined) return undefined
  const { status, text, output } = ended
  return { status, text, session: state.id, run, ...(output === undefined ? {} : { output }) }
}
