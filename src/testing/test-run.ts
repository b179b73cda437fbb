import type { ChildEvent, RunEvent } from '../agent/run-event.ts'
import type { RunResult } from '../agent/run-result.ts'
import type { Session } from '../agent/session.ts'
import type { JsonValue } from '../core/json/value.ts'
import { type LoggedEvent, loggedEvents } from './logged-event.ts'

/** What a conversation left behind; status, iterations, output and result are those of its last run. */
export interface TestRun {
  readonly session: Session
  /** The whole log. */
  readonly events: readonly LoggedEvent[]
  /** What the runs streamed: the same facts from the first run on, and the deltas between them. */
  readonly streamEvents: readonly RunEvent[]
  readonly status: RunResult['status']
  /** Answers of the model. */
  readonly iterations: number
  /** The value that a tool ended the run with, or the model's last words; undefined when the run did not complete. */
  readonly output: JsonValue | undefined
  readonly result: RunResult
}

/** Says a text in a session and sees its run through; what it streams is put behind `streamEvents`. */
export async function sayAndSee(
  session: Session,
  text: string,
  streamEvents: RunEvent[],
  signal: AbortSignal | undefined,
): Promise<RunResult> {
  const stream = session.stream(text, signal === undefined ? {} : { signal })
  return await seeThrough(stream, (event) => streamEvents.push(event))
}

/** Sees a run through to its end, or to its rest. */
export async function seeThrough<Shown extends RunEvent | ChildEvent>(
  stream: AsyncGenerator<Shown, RunResult, undefined>,
  show: (event: Shown) => void,
): Promise<RunResult> {
  let next = await stream.next()
  for (; next.done !== true; next = await stream.next()) show(next.value)
  return next.value
}

/** What a session left behind after its last run. */
export async function testRunOf(
  session: Session,
  result: RunResult,
  streamEvents: readonly RunEvent[],
): Promise<TestRun> {
  const events = loggedEvents(await session.events())
  const { status, steps: iterations } = result
  return { session, events, streamEvents, status, iterations, output: outputOf(result), result }
}

function outputOf({ status, output, text }: RunResult): JsonValue | undefined {
  return status === 'completed' ? (output ?? text) : undefined
}
