import { isToolpostError } from '../core/error.ts'
import type { SessionState } from '../core/run/state.ts'
import type { IndexRow, Store } from '../core/store.ts'
import { Journal } from '../runtime/journal.ts'
import { adopted } from './children/child-session.ts'
import type { Definition } from './definition.ts'
import { agentOf } from './find-ask.ts'
import type { RunResult } from './run-result.ts'
import { Session } from './session.ts'

/** What became of a run that was taken up. */
export interface ResumedRun extends RunResult {
  readonly session: string
}

const page = 1_000

/**
 * Takes up every run of an agent that has not ended and that nobody drives, and those of children that go on by
 * themselves. A child that a call waits for goes on with the run above it.
 */
export async function resumeOpen(
  definition: Definition,
  signal?: AbortSignal,
): Promise<readonly ResumedRun[]> {
  const { store, clock } = definition.parts
  const resuming: Promise<ResumedRun | undefined>[] = []
  for (const { data } of await openRows(store)) {
    const journal = await Journal.open(store, String(data.session), clock)
    const own = ownerOf(definition, journal.state)
    if (own !== undefined) resuming.push(resume(own, journal, signal))
  }
  return (await Promise.all(resuming)).filter((result) => result !== undefined)
}

/** The agent that a session is taken up with; undefined when it is not this one's to take up. */
function ownerOf(definition: Definition, state: SessionState): Definition | undefined {
  if (state.openRun === undefined || state.parent?.kind === 'run') return undefined
  const own = state.agent === definition.name ? definition : agentOf(definition, state)
  return own?.name === state.agent ? adopted(definition, own) : undefined
}

async function openRows(store: Store): Promise<readonly IndexRow[]> {
  const found: IndexRow[] = []
  for (let last: IndexRow | undefined; ; last = found.at(-1)) {
    const after = last === undefined ? {} : { after: { at: last.at, id: last.id } }
    const rows = await store.list({ kind: 'run', status: ['open', 'waiting'], limit: page, ...after })
    found.push(...rows)
    if (rows.length < page) return found
  }
}

async function resume(
  definition: Definition,
  journal: Journal,
  signal: AbortSignal | undefined,
): Promise<ResumedRun | undefined> {
  const session = new Session(definition, journal)
  const stream = session.resume(signal === undefined ? {} : { signal })
  try {
    let next = await stream.next()
    while (next.done !== true) next = await stream.next()
    return { ...next.value, session: session.id }
  } catch (error) {
    // Somebody else drives it, or has ended it.
    if (isToolpostError(error) && ['SESSION_BUSY', 'LEASE_LOST', 'RUN_NOT_FOUND'].includes(error.code)) return
    throw error
  }
}
