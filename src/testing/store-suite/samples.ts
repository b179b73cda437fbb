import type { Event } from '../../core/event.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { IndexRow, Store, StreamAppend } from '../../core/store.ts'

/** An event that carries any JSON value. */
export function event(output: JsonValue): Event {
  return { type: 'run.ended', run: 'run_1', status: 'completed', text: 'Done.', output }
}

/** An append of events to one stream, each made at its own millisecond. */
export function to(stream: string, after: number, ...outputs: JsonValue[]): StreamAppend {
  return {
    stream,
    after,
    events: outputs.map((output, index) => ({ at: 1_000 + index, event: event(output) })),
  }
}

export function row(id: string, changes: Partial<IndexRow> = {}): IndexRow {
  return {
    kind: 'ticket',
    id,
    stream: 'session:1',
    subject: 'ann',
    status: 'open',
    at: 1,
    data: {},
    ...changes,
  }
}

/** What the events of a stream carry, in order. */
export async function outputs(store: Store, stream: string): Promise<JsonValue[]> {
  const events = await store.read(stream)
  return events.map(({ event }) => (event.type === 'run.ended' ? (event.output ?? null) : null))
}

/** The sequences of a stream, in order. */
export async function sequences(store: Store, stream: string): Promise<number[]> {
  return (await store.read(stream)).map(({ sequence }) => sequence)
}
