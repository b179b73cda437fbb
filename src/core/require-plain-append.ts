import { requirePlain } from './json/require-plain.ts'
import type { Append } from './store.ts'

/** Every store refuses what it could not give back, before anything is written. Errors: NOT_ENCODABLE, LIMIT_EXCEEDED. */
export function requirePlainAppend({ streams, rows = [] }: Append): void {
  for (const { stream, events } of streams) {
    for (const { at, event } of events) {
      requirePlain(at, 'The time of an event')
      requirePlain(event, `An event of ${stream}, ${String(event?.type)},`)
    }
  }
  for (const { kind, id, at, data } of rows) {
    requirePlain(at, 'The time of an index row')
    requirePlain(data, `The index row "${kind} ${id}"`)
  }
}
