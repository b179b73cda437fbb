import { ToolpostError } from '../core/error.ts'
import type { SessionState } from '../core/run/state.ts'
import type { LeaseProof, StoredEvent } from '../core/store.ts'
import type { Journal } from '../runtime/journal.ts'
import { ownSession } from '../runtime/ownership.ts'
import { linkedSignal } from '../runtime/race.ts'
import { overAbove } from '../runtime/run-over.ts'
import { settleChange } from './changed-agent.ts'
import { recordedBounds } from './children/bounds-of.ts'
import { refuseChangedBelow } from './children/changed-below.ts'
import { ChildLogs } from './children/child-logs.ts'
import { refuseHeldBelow } from './children/held-below.ts'
import { shownChild } from './children/shown-children.ts'
import { TreeCount } from './children/tree-count.ts'
import type { Definition } from './definition.ts'
import type { Drive, DriveSession } from './drive-input.ts'
import { refuseOtherStructure } from './flows/structure.ts'
import { handedInModel } from './foreign-step.ts'
import { Queue } from './queue.ts'
import { RunClocks } from './run-clocks.ts'
import type { ChildEvent, Delta, RunEvent } from './run-event.ts'
import { type RunResult, runResult } from './run-result.ts'
import { openScopes } from './session-values.ts'
import { shownEvent } from './state-options.ts'
import { StopWatch } from './stop-watch.ts'
import { driveRun, type Turn } from './turn.ts'
import { afterRun } from './watch-events.ts'

export type { Drive, DriveOptions } from './drive-input.ts'

/** Is shown what happens. */
type Show = (event: RunEvent | ChildEvent) => void

/**
 * Owns the session while a run is driven, and gives what happens: the events of the log as they are written,
 * deltas between them, what happens below it where that was asked for, and at last the result. Leaving the loop early
 * stops the run.
 */
export async function* drive(input: Drive): AsyncGenerator<RunEvent | ChildEvent, RunResult, undefined> {
  const queue = new Queue<RunEvent | ChildEvent>()
  const left = new AbortController()
  const driven = driveShown(input, (event) => queue.push(event), left.signal)
  driven.then(
    () => queue.end(),
    (error) => queue.end(error ?? new Error('The run broke off.')),
  )
  try {
    yield* queue
  } finally {
    left.abort(new Error('The reader left.'))
    await driven.catch(() => undefined)
  }
  return await driven
}

/** The same without looking on: nothing is handed over that nobody reads. */
export function driveToEnd(input: Drive): Promise<RunResult> {
  return driveShown(input)
}

async function driveShown(input: Drive, show?: Show, left?: AbortSignal): Promise<RunResult> {
  const { definition, journal, begin } = input
  const { signal } = input.options
  refuseOtherThanSignal(signal)
  const ownership = await ownSession(definition.parts, journal.stream)
  let unlistenOutside: (() => void) | undefined
  const unlisten = show && journal.listen(showing(definition, show))
  const clocks = new RunClocks(journal, definition.parts.clock, definition.driver.turn)
  const over = new AbortController()
  const stopWatch = new StopWatch(definition.parts, journal)
  const linked = linkedSignal(
    [signal, left, clocks.signal, over.signal, stopWatch.signal].filter((each) => each !== undefined),
  )
  try {
    await journal.refresh()
    await openScopes(input)
    const run = await begin(ownership.lease)
    const emit = (delta: Delta) => {
      clocks.touch()
      if (show !== undefined) journal.afterStored(() => show(delta))
    }
    const propose: Turn['propose'] = async (task, step) => {
      // Whoever looks on sees one step, and may stop the run there, before the next is asked for.
      if (show !== undefined) await journal.stored()
      return await input.propose(task, step, emit)
    }
    const { outside } = input
    unlistenOutside = outside?.listen((call, progress) => emit({ type: 'call.progressed', call, progress }))
    clocks.start(run)
    stopWatch.start(run)
    if (!linked.signal.aborted) await stopIfOver(input, over)
    // Whatever became of an agent, its run can be stopped.
    if (linked.signal.aborted) await refuseHeldBelow(definition.parts, journal.state, run)
    else await settleDefinition(input, ownership.lease, run)
    const { bounds = recordedBounds(journal.state) } = input
    const above = bounds === undefined ? {} : { bounds }
    const turn = {
      definition,
      journal,
      ownership,
      run,
      signal: linked.signal,
      clocks,
      emit,
      propose,
      tree: input.tree ?? new TreeCount({ parts: definition.parts, journal, run }),
      ...above,
    }
    await driveRun({ ...turn, drive: drivesBelow(input, show) })
    return await resultOf(definition, journal, run)
  } finally {
    clocks.stop()
    stopWatch.stop()
    linked.release()
    unlisten?.()
    unlistenOutside?.()
    await ownership.release()
  }
}

/** How the runs below are driven: shown to who looks on at this one, if he asked for that. */
function drivesBelow({ options, shown: above }: Drive, show: Show | undefined): DriveSession {
  const shown = above ?? (options.children === true ? new Map<string, number>() : undefined)
  if (show === undefined || shown === undefined) return driveToEnd
  return async (child) => {
    const followed = await shownChild(shown, child, show)
    return await driveShown(followed.input, followed.show)
  }
}

/** A child that is taken up by itself goes on no longer than those above it. */
async function stopIfOver({ bounds, definition, journal }: Drive, over: AbortController): Promise<void> {
  const above = bounds === undefined ? await overAbove(definition.parts, journal.state) : undefined
  if (above !== undefined) over.abort(above.reason)
}

/** Errors: DEFINITION_CHANGED when the run does not go on with the agent as it is now. */
async function settleDefinition(
  { definition, journal }: Drive,
  lease: LeaseProof,
  run: string,
): Promise<void> {
  refuseOtherAgent(definition, journal.state)
  refuseOtherStructure(definition, journal.state.runs.get(run))
  await refuseChangedBelow(definition, journal, run)
  await settleChange({ definition, journal, lease, run })
}

/** How the run stands; who wants to know that it has ended is told before the caller is. */
async function resultOf(definition: Definition, journal: Journal, run: string): Promise<RunResult> {
  const { tickets } = await new ChildLogs(definition.parts).ofRun(journal.state, run)
  const result = runResult(journal.state, run, tickets)
  const { hooks, parts, name: agent } = definition
  const isHandedIn = journal.state.runs.get(run)?.model === handedInModel
  if (result.status !== 'waiting' && !isHandedIn)
    await afterRun(hooks, { parts, journal, run, agent }, result)
  return result
}

/** What stays inside of the process is not shown. */
function showing({ state }: Definition, show: Show): (stored: StoredEvent) => void {
  return ({ event, sequence, at }) => {
    const shown = shownEvent(event, state)
    if (shown !== undefined) show({ ...shown, sequence, at })
  }
}

/** A child's run goes on with its own agent only. */
function refuseOtherAgent({ name }: Definition, { id, agent, parent }: SessionState): void {
  if (parent === undefined || agent === name) return
  throw new ToolpostError(
    'DEFINITION_CHANGED',
    `The session ${id} is a child run of the agent "${agent}", which "${name}" does not know in this process; open it with that agent, or resume the session at the top, ${parent.root}.`,
  )
}

function refuseOtherThanSignal(signal: unknown): void {
  if (signal === undefined) return
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw new ToolpostError('INVALID_ARGUMENT', 'The option "signal" must be an AbortSignal.')
}
