import { HostError, isHostError } from '../protocol/host-error.ts'
import { routes } from '../protocol/routes.ts'
import type { RunEvent } from '../protocol/stream/run-event.ts'
import { type ExpectedRun, RunStreamCheck } from '../protocol/stream/run-stream-check.ts'
import { clientBounds } from './bounds.ts'
import type { Exchange, Sending } from './exchange.ts'
import { framesOf } from './frames.ts'
import { OpenCalls } from './open-calls.ts'
import { pause } from './pause.ts'

/** How a run's stream is read. */
export interface RunReading extends ExpectedRun {
  /** The id of the last event that was read before. */
  readonly lastEventId?: string | undefined
  /** Whether it goes on behind the last event when the connection breaks off. */
  readonly reconnect?: boolean | undefined
}

/**
 * The events of a run, each checked, up to its terminal event. A run without an id is started with its request; one with
 * an id is followed. Throws what `framesOf` and `RunStreamCheck` throw; INCOMPLETE_STREAM has an uncertain outcome when a
 * call was given to the application and not told of again.
 */
export async function* runEvents(
  exchange: Exchange,
  reading: RunReading,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const check = new RunStreamCheck(reading)
  const openCalls = new OpenCalls()
  let { lastEventId } = reading
  let failures = 0
  while (!check.isEnded) {
    try {
      for await (const frame of framesOf(exchange, { ...sendingOf(reading, check, lastEventId), signal })) {
        const event = check.accept(frame)
        lastEventId = frame.id ?? lastEventId
        failures = 0
        if (event === undefined) continue
        openCalls.follow(event)
        yield event
        if (check.isEnded) return
      }
      check.end()
    } catch (fault) {
      signal.throwIfAborted()
      failures += 1
      const isLost = lastEventId === undefined && check.sequence > 0
      const isOver = reading.reconnect !== true || check.runId === undefined || isLost
      if (isOver || failures >= clientBounds.attemptsMax || !mayPass(fault)) throw told(fault, openCalls)
      await pause(exchange, failures, signal)
      check.resume()
    }
  }
}

function sendingOf(
  { request }: RunReading,
  { runId }: RunStreamCheck,
  lastEventId: string | undefined,
): Pick<Sending, 'route' | 'parts' | 'body' | 'headers'> {
  if (runId === undefined) return { route: routes.startRun, body: request ?? {} }
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  return { route: routes.followRun, parts: { runId }, headers }
}

function mayPass(fault: unknown): boolean {
  return isHostError(fault) && (fault.retryable || fault.code === 'INCOMPLETE_STREAM')
}

function told(fault: unknown, { isEmpty }: OpenCalls): unknown {
  if (isEmpty || !isHostError(fault) || fault.outcome !== undefined) return fault
  const { code, message, retryable, status, cause } = fault
  return new HostError(code, message, { retryable, status, cause, outcome: 'uncertain' })
}
