import { isToolpostError } from '../core/error.ts'
import type { SessionState } from '../core/run/state.ts'
import type { IndexRow } from '../core/store.ts'
import { Journal } from '../runtime/journal.ts'
import { listAll } from '../runtime/list-all.ts'
import { adopted } from './children/child-session.ts'
import { childNamed } from './children/known-agents.ts'
import type { Definition } from './definition.ts'
import { agentOf } from './find-ask.ts'
import { goesOnBy } from './going-on.ts'
import { stopOrphan } from './orphans.ts'
import { type RunResult, runResult } from './run-result.ts'
import { Session } from './session.ts'

/** What became of a run that was taken up, or why it could not be: then it stands in the store as it was. */
export type ResumedRun =
  | (RunResult & { readonly session: string; readonly error?: undefined })
  | { readonly session: string; readonly run: string; readonly error: unknown; readonly status?: undefined }

/**
 * Takes up every run of an agent that has not ended and that nobody drives, and those of children that go on by
 * themselves. A child that a call waits for goes on with the run above it. What cannot be taken up stops no other.
 */
export async function resumeOpen(
  definition: Definition,
  signal?: AbortSignal,
): Promise<readonly ResumedRun[]> {
  const { store } = definition.parts
  const rows: IndexRow[] = []
  for await (const row of listAll(store, { kind: 'run', status: ['open', 'waiting'] })) rows.push(row)
  const first = await takeUpAll(definition, rows, signal, { isMeant: isTop, taken: new Set() })
  const taken = new Set(first.flatMap(({ session, status }) => (status === 'waiting' ? [session] : [])))
  // What becomes of a child that was started beside a call is known when the run above has been taken up.
  const second = await takeUpAll(definition, rows, signal, { isMeant: (state) => !isTop(state), taken })
  return [...first, ...second]
}

/** Whether a run goes on whatever becomes of the one that started it, if there is one. */
function isTop(state: SessionState | undefined): boolean {
  return state?.parent === undefined || state.parent.kind === 'dispatch'
}

/** Which runs are taken up, and the sessions that were before, and rest again with all that hangs on them. */
interface Meant {
  readonly isMeant: (state: SessionState | undefined) => boolean
  readonly taken: ReadonlySet<string>
}

/** Whether a child went on with the run above, as far as it can, when that was taken up. */
async function wentOn(definition: Definition, state: SessionState, { taken }: Meant): Promise<boolean> {
  return taken.size > 0 && taken.has((await goesOnBy(definition.parts, state)).id)
}

async function takeUpAll(
  definition: Definition,
  rows: readonly IndexRow[],
  signal: AbortSignal | undefined,
  meant: Meant,
): Promise<readonly ResumedRun[]> {
  const resuming: Promise<ResumedRun | undefined>[] = []
  for (const row of rows) {
    const taken = await takeUp(definition, row, signal, meant)
    if (taken !== undefined) resuming.push(taken.resumed)
  }
  return (await Promise.all(resuming)).filter((result) => result !== undefined)
}

/** Begins to drive a run, and gives what will become of it; undefined when it is not this agent's to take up, or not now. */
async function takeUp(
  definition: Definition,
  row: IndexRow,
  signal: AbortSignal | undefined,
  meant: Meant,
): Promise<{ readonly resumed: Promise<ResumedRun | undefined> } | undefined> {
  const { store, clock } = definition.parts
  const failed = (error: unknown) => failedRun(row, error)
  const journal = await Journal.open(store, String(row.data.session), clock).catch(failed)
  if (!meant.isMeant(journal instanceof Journal ? journal.state : undefined)) return undefined
  if (journal instanceof Journal) {
    const orphan = await stoppedOrphan(definition, journal).catch(failed)
    if (orphan !== undefined) return { resumed: Promise.resolve(orphan) }
    const own = ownerOf(definition, journal.state)
    if (own === undefined || (await wentOn(definition, journal.state, meant).catch(() => false)))
      return undefined
    return { resumed: resume(own, journal, signal).catch(failed) }
  }
  // Whose it is stands in a log that cannot be read; its row has the name.
  const agent = String(row.data.agent)
  const isOurs = agent === definition.name || childNamed(definition, agent) !== undefined
  return isOurs ? { resumed: Promise.resolve(journal) } : undefined
}

/** A child of this agent, or of one below it, that nobody waits for any more. */
async function stoppedOrphan(definition: Definition, journal: Journal): Promise<ResumedRun | undefined> {
  const { id: session, agent, parent, openRun } = journal.state
  const isOurs = agent === definition.name || parent?.path.includes(definition.name) === true
  if (openRun === undefined || !isOurs || !(await stopOrphan(definition, journal))) return undefined
  return { ...runResult(journal.state, openRun), session }
}

/** Somebody else drives it, has ended it or has removed it: that is no fault. */
const noFaults: readonly string[] = ['SESSION_BUSY', 'LEASE_LOST', 'RUN_NOT_FOUND', 'SESSION_NOT_FOUND']

function failedRun({ id: run, data }: IndexRow, error: unknown): ResumedRun | undefined {
  if (isToolpostError(error) && noFaults.includes(error.code)) return undefined
  return { session: String(data.session), run, error }
}

/** The agent that a session is taken up with; undefined when it is not this one's to take up. */
function ownerOf(definition: Definition, state: SessionState): Definition | undefined {
  if (state.openRun === undefined || state.parent?.kind === 'run') return undefined
  const own = state.agent === definition.name ? definition : agentOf(definition, state)
  return own?.name === state.agent ? adopted(definition, own) : undefined
}

async function resume(
  definition: Definition,
  journal: Journal,
  signal: AbortSignal | undefined,
): Promise<ResumedRun> {
  const session = new Session(definition, journal)
  const stream = session.resume(signal === undefined ? {} : { signal })
  let next = await stream.next()
  while (next.done !== true) next = await stream.next()
  return { ...next.value, session: session.id }
}
