import { isToolpostError, type ToolpostError } from '../../core/error.ts'
import { limits } from '../../core/limits.ts'
import type { ChildLink } from '../../core/run/state.ts'
import { Journal } from '../../runtime/journal.ts'
import type { Task } from '../../runtime/task.ts'
import type { Definition } from '../definition.ts'
import type { Drive, DriveSession } from '../drive-input.ts'
import { nothingMore } from '../foreign-step.ts'
import { propose } from '../propose.ts'
import { boundsOf } from './bounds-of.ts'
import { adopted, beginChild, childResult, openChild, recordChild } from './child-session.ts'
import { childNamed, definitionOf } from './known-agents.ts'
import type { ChildEnd, ChildOrder } from './running-child.ts'

/** The run above, and how its children are driven. */
export interface Above {
  readonly definition: Definition
  readonly task: Task
  readonly drive: DriveSession
}

/** Starts a child or goes on with it, until it ends or rests. `onBegun` is called when its run is in the store. */
export async function driveChild(
  above: Above,
  order: ChildOrder,
  signal: AbortSignal,
  onBegun: () => void,
): Promise<ChildEnd> {
  const { definition, task, drive } = above
  await recordChild(task, order)
  const child = adopted(definition, definitionOf(order.agent))
  const journal = await openChild(task, child, order)
  const before = childResult(journal.state)
  if (before !== undefined) return { result: before }
  if (order.options === undefined && journal.state.openRun === undefined) return { rests: true }
  const begin: Drive['begin'] = async (lease) => {
    const run = await beginChild(child, journal, order.options, lease)
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
