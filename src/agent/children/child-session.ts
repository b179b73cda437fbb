import type { ChildOptions, ChildResult } from '../../core/child.ts'
import { ToolpostError } from '../../core/error.ts'
import type { Event } from '../../core/event.ts'
import { named } from '../../core/json/named.ts'
import type { UserMessage } from '../../core/message.ts'
import type { ParentLink } from '../../core/parent-link.ts'
import { isToolMode, toolModes } from '../../core/policy/mode.ts'
import { readChanges } from '../../core/run/read-changes.ts'
import type { CallState, RunState, SessionState } from '../../core/run/state.ts'
import type { LeaseProof } from '../../core/store.ts'
import { Journal } from '../../runtime/journal.ts'
import type { Task } from '../../runtime/task.ts'
import type { Definition } from '../definition.ts'
import { refuseOtherStructure } from '../flows/structure.ts'
import { readPart } from '../read-input.ts'
import { runStartedEvent } from '../run-started.ts'
import type { RunTimes } from '../run-times.ts'
import { initialEvents } from '../state-options.ts'
import { watchEvents } from '../watch-events.ts'
import { boundsOf, modeOfChild } from './bounds-of.ts'
import { childMessage } from './child-input.ts'
import type { ChildOrder } from './running-child.ts'

/** A child's session follows from its call and its number, so that a call that is entered again finds it. */
export function childSession({ call, index }: Pick<ChildOrder, 'call' | 'index'>): string {
  return `${call}.${index}`
}

/** The one run that a call starts in a child's session. */
export function childRun(session: string): string {
  return `${session}.run`
}

/** The child as it runs under this agent: in its store and by its clock; what it does not say of its people, and of a changed definition, this one says. */
export function adopted(above: Definition, child: Definition): Definition {
  const { approvals = above.approvals, inputs = above.inputs, onChange = above.onChange } = child
  return {
    ...child,
    parts: above.parts,
    ...(approvals === undefined ? {} : { approvals }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(onChange === undefined ? {} : { onChange }),
  }
}

/**
 * Writes down that a call starts a child, once. Errors: DEFINITION_CHANGED when another agent stands at its number,
 * INVALID_ARGUMENT when the call has ended.
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
    const now = state.calls.get(call)
    if (isRecorded(now, order)) return []
    if (now?.status !== 'started') throw callIsOver(call)
    return [started]
  }, task.lease)
}

/** Whether this child was started before. Errors: DEFINITION_CHANGED when another one was. */
export function isRecorded(state: CallState | undefined, { call, index, agent, kind }: ChildOrder): boolean {
  const before = state?.children?.[index]
  if (before === undefined) return false
  if (before.agent === agent.name && before.kind === kind) return true
  throw new ToolpostError(
    'DEFINITION_CHANGED',
    `Child ${index} of the call ${call} was ${before.kind} "${before.agent}" before, and is ${kind} "${agent.name}" now; a call that is entered again must start the same agents in the same order.`,
    { details: { call, session: before.session } },
  )
}

/** The error of a tool's function that starts an agent after its call. */
export function callIsOver(call: string): ToolpostError {
  return new ToolpostError(
    'INVALID_ARGUMENT',
    `The call ${call} has ended: other agents are started in execute, before it returns, and nowhere else.`,
  )
}

/** The child's log, begun if there is none; `number` is its own among the child runs of the tree. */
export async function openChild(
  task: Task,
  child: Definition,
  order: ChildOrder,
  number: number | undefined,
): Promise<Journal> {
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
    ...(number === undefined ? {} : { number }),
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
  above: Task,
  child: Definition,
  journal: Journal,
  { call, options }: Pick<ChildOrder, 'call' | 'options'>,
  lease: LeaseProof,
): Promise<string> {
  const run = childRun(journal.state.id)
  const isBegun = journal.state.runs.has(run)
  const message: UserMessage = isBegun
    ? { role: 'user', text: '' }
    : await childMessage(above, child, journal, call, options)
  await journal.write((state) => {
    if (state.runs.has(run)) return []
    const { mode } = state
    const { onUncertain } = above.journal.state.runs.get(above.run) ?? {}
    const rule = onUncertain === undefined ? {} : { onUncertain }
    const times = timesOf(child, above, options)
    const started = runStartedEvent(child, state, { run, mode, times, ...rule })
    return [started, { type: 'message.added', run, message }, ...valuesOf(run, options)]
  }, lease)
  refuseOtherStructure(child, journal.state.runs.get(run))
  return run
}

/** A child shows the same signs of life as the run above, which waits for it, unless it has a rule of its own. */
function timesOf(child: Definition, above: Task, { timeoutMs }: Partial<ChildOptions> = {}): RunTimes {
  const idle = child.times.idle ?? above.journal.state.runs.get(above.run)?.idle
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(idle === undefined ? {} : { idle }) }
}

/** What the run starts with in its own scope. */
function valuesOf(run: string, { state }: Partial<ChildOptions> = {}): Event[] {
  const changes = readChanges(state, noKeys)
  return changes.length === 0 ? [] : [{ type: 'state.changed', scope: 'run', run, changes }]
}

const noKeys: ReadonlySet<string> = new Set()

const childOptions = ['input', 'mode', 'timeoutMs', 'state']

/** Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED. */
export function checkChildOptions(options: unknown): void {
  const { input, mode, timeoutMs, state, ...rest } = (options ?? {}) as Record<string, unknown>
  if (Array.isArray(input) && input.length > 0)
    for (const [index, part] of input.entries()) readPart(part, `input[${index}]`)
  else if (typeof input !== 'string')
    refuse('A child run needs { input }, what it is told: a text, or a list of parts: text, image and file.')
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined)
    refuse(`A child run has no option ${named(unknown)}; the options are ${childOptions.join(', ')}.`)
  if (mode !== undefined && !isToolMode(mode))
    refuse(`There is no tool mode ${named(mode)}; the modes are ${toolModes.join(', ')}.`)
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && Number(timeoutMs) > 0))
    refuse('"timeoutMs" must be a whole number of milliseconds, 1 or more.')
  readChanges(state, noKeys)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}

/** How the child's run ended; undefined while it has not. */
export function childResult(state: SessionState): ChildResult | undefined {
  const run = childRun(state.id)
  const ended: RunState['ended'] = state.runs.get(run)?.ended
  if (ended === undefined) return undefined
  const { status, text, output, code } = ended
  const given = { ...(output === undefined ? {} : { output }), ...(code === undefined ? {} : { code }) }
  return { status, text, session: state.id, run, ...given }
}
