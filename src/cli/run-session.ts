import type { ChildEvent, RunEvent } from '../agent/run-event.ts'
import type { RunResult } from '../agent/run-result.ts'
import type { OpenAsks } from './approvals/open-asks.ts'
import type { RunView } from './terminal/run-view.ts'

/** What a run is driven with. */
export interface RunSession {
  /** Starts or resumes the run; the signal stops it. */
  readonly begin: (signal: AbortSignal) => AsyncGenerator<RunEvent | ChildEvent, RunResult, undefined>
  readonly view: RunView
  readonly asks: OpenAsks
}

/** Drives a run and shows it. */
export async function runSession({ begin, view, asks }: RunSession): Promise<RunResult> {
  return await withInterrupts(asks, async (signal) => {
    const stream = begin(signal)
    for (;;) {
      const next = await stream.next()
      if (next.done === true) {
        await view.end(next.value)
        return next.value
      }
      view.event(next.value)
    }
  })
}

/**
 * Ctrl-C leaves open asks open, so that the run rests; when none is open it stops the run, and a second one ends
 * the process on the spot, as a crash would.
 */
export async function withInterrupts<Value>(
  asks: OpenAsks,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stopped = new AbortController()
  const interrupt = () => {
    if (stopped.signal.aborted) process.exit(130)
    if (!asks.leave()) stopped.abort(new Error('Ctrl-C was pressed.'))
  }
  process.on('SIGINT', interrupt)
  try {
    return await work(stopped.signal)
  } finally {
    process.removeListener('SIGINT', interrupt)
  }
}

/** 0 when the run was completed or rests until somebody answers, else 1. */
export function exitCodeOf({ status }: Pick<RunResult, 'status'>): number {
  return status === 'completed' || status === 'waiting' ? 0 : 1
}
