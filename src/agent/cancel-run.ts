import { ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import { limits } from '../core/limits.ts'
import { Journal } from '../runtime/journal.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { busyStream, requestStop, untilFree } from '../runtime/request-stop.ts'
import type { RunResult } from './run-result.ts'

/** Whose run is ended, by whom, and why. */
export interface Cancelling {
  readonly parts: RuntimeParts
  readonly reason: string
  readonly by: Actor
  /** Ends the run here. Errors: SESSION_BUSY with the stream that somebody drives. */
  readonly endHere: () => Promise<RunResult>
}

/**
 * Ends a run here if nobody drives it, or one below it; otherwise asks whoever does, and waits for the end. Errors:
 * SESSION_BUSY when it did not end in time: then the request stands in the log, and the run ends when it is seen.
 */
export async function cancelRun({ parts, reason, by, endHere }: Cancelling): Promise<RunResult> {
  const until = parts.clock.now() + limits.cancelWaitMs
  for (;;) {
    try {
      return await endHere()
    } catch (error) {
      const stream = busyStream(error)
      if (stream === undefined) throw error
      await askDriver({ parts, reason, by, until }, stream)
    }
  }
}

async function askDriver(
  { parts, reason, by, until }: Omit<Cancelling, 'endHere'> & { readonly until: number },
  stream: string,
): Promise<void> {
  const journal = new Journal(parts.store, stream.slice(stream.indexOf(':') + 1), parts.clock)
  await journal.refresh()
  const { openRun } = journal.state
  // Between two looks it may have ended by itself.
  if (openRun === undefined) return
  await requestStop(journal, { run: openRun, reason, by })
  const isFree = await untilFree(parts, journal, openRun, until)
  if (isFree || journal.state.runs.get(openRun)?.ended !== undefined) return
  throw new ToolpostError(
    'SESSION_BUSY',
    `The run ${openRun} was asked to stop, and whoever drives it has not ended it in ${limits.cancelWaitMs / 1000} s; the request stands in its log.`,
    { details: { stream } },
  )
}
