import { isToolpostError, type ToolpostError } from '../../core/error.ts'
import { limits } from '../../core/limits.ts'
import type { ChildLink } from '../../core/run/state.ts'
import { turnBeforeStart } from '../../runtime/event-loop-turn.ts'
import { Journal } from '../../runtime/journal.ts'
import type { Task } from '../../runtime/task.ts'
import type { Definition } from '../definition.ts'
import type { Drive, DriveSession } from '../drive-input.ts'
import { nothingMore } from '../foreign-step.ts'
import { propose } from '../propose.ts'
import { boundsOf } from './bounds-of.ts'
import { adopted, beginChild, childResult, isRecorded, openChild, recordChild } from './child-session.ts'
import { childNamed, definitionOf } from './known-agents.ts'
import type { ChildEnd, ChildOrder } from './running-child.ts'
import type { TreeCount } from './tree-count.ts'

/** The run above, and how its children are driven. */
export interface Above {
  readonly definition: Definition
  readonly task: Task
  readonly drive: DriveSession
  readonly tree: TreeCount
}

/** What is told of a child's start: that the log above names it, and that its run is in the store. */
export interface ChildStart {
  readonly onRecorded: () => void
  readonly onBegun: () => void
}

/** Starts a child or goes on with it, until it ends or rests. */
export async function driveChild(
  above: Above,
  order: ChildOrder,
  signal: AbortSignal,
  { onRecorded, onBegun }: ChildStart,
): Promise<ChildEnd> {
  const { definition, task, drive, tree } = above
  // Whoever starts one agent after another must not keep anything else of the process from going on.
  await turnBeforeStart()
  const isNew = !isRecorded(task.journal.state.calls.get(order.call), order)
  const number = isNew ? await tree.take() : undefined
  await recordChild(task, order)
  onRecorded()
  const child = adopted(definition, definitionOf(order.agent))
  const journal = await openChild(task, child, order, number)
  const before = childResult(journal.state)
  if (before !== undefined) return { result: before }
  if (order.options === undefined && journal.state.openRun === undefined) return { rests: true }
  order.onDrive?.()
  const begin: Drive['begin'] = async (lease) => {
    const run = await beginChild(task, child, journal, order, lease)
    onBegun()
    return run
  }
  return await patiently(drive, {
    definition: child,
    journal,
    options: { signal },
    begin,
    propose: (own, step, emit) => propose(child, own, step, emit),
    bounds: () => boundsOf(task),
    tree,
  })
}

/** A child that another process drives is waited for as long as its lease may last, and then like one that rests. */
async function patiently(drive: DriveSession, input: Drive): Promise<ChildEnd> {
  for (let tries = 1; ; tries += 1) {
    try {
      await drive(input)
      const result = childResult(input.journal.state)
      return result === undefined ? { rests: true } : { result }
    } catch (error) {
      if (!isToolpostError(error)) throw error
      if (error.code === 'LEASE_LOST') return { rests: true }
      // It stays as it is, and the call that waits for it too: the drive above ends with the error.
      if (error.code === 'DEFINITION_CHANGED') return { rests: true, refused: error }
      if (error.code !== 'SESSION_BUSY') throw error
      if (tries > 1 || !(await outlasted(input, error))) return { rests: true }
    }
  }
}

async function outlasted({ definition, options }: Drive, { details }: ToolpostError): Promise<boolean> {
  const { clock } = definition.parts
  const waitMs = Math.max(0, Number(details.expiresAt) - clock.now())
  if (!Number.isFinite(waitMs)) return false
  return await clock.sleep(Math.min(waitMs, limits.leaseMs), options.signal).then(
    () => true,
    () => false,
  )
}

/** Ends the run of a child that nobody drives: its calls, its asks, and its own children. */
export async function stopChild(
  { definition, drive }: Pick<Above, 'definition' | 'drive'>,
  { session, agent }: ChildLink,
  reason: unknown,
): Promise<void> {
  const { store, clock } = definition.parts
  const journal = new Journal(store, session, clock)
  await journal.refresh()
  const { openRun } = journal.state
  if (openRun === undefined) return
  const known = childNamed(definition, agent)
  const own = known === undefined ? { ...definition, name: agent } : definitionOf(known)
  const stopping: Drive = {
    definition: { ...own, parts: definition.parts },
    journal,
    options: { signal: AbortSignal.abort(reason) },
    begin: async () => openRun,
    propose: async () => nothingMore,
  }
  await drive(stopping).catch((error: unknown) => {
    // Somebody else drives it at this moment; it is his to stop.
    if (!isToolpostError(error) || !['SESSION_BUSY', 'LEASE_LOST'].includes(error.code)) throw error
  })
}
