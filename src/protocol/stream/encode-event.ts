import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonObject } from '../../core/json/value.ts'

/** A comment that keeps a connection open; it is no sign of life of a run. */
export const heartbeatFrame = ': heartbeat\n\n'

/** An event as a frame of `text/event-stream`: its id, if it has one, its type, its JSON in one line. */
export function encodeEvent(event: { readonly type: string }, id?: string): string {
  const data = stringifyJson(event as unknown as JsonObject)
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event.type}\ndata: ${data}\n\n`
}
