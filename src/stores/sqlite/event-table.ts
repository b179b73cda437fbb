import { ToolpostError } from '../../core/error.ts'
import type { Event } from '../../core/event.ts'
import type { StoredEvent } from '../../core/store.ts'
import { fromJsonText } from './json-text.ts'
import type { Row, Statements } from './statements.ts'

/** Events for one stream, already as text: so a later change of the caller's objects changes nothing. */
export interface EncodedStream {
  readonly stream: string
  readonly after: number
  readonly events: readonly { readonly at: number; readonly type: string; readonly body: string }[]
}

const lastSql = 'SELECT sequence FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1'
const insertSql = 'INSERT INTO events (stream, sequence, at, type, body) VALUES (?, ?, ?, ?, ?)'
const readSql =
  'SELECT sequence, at, body FROM events WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?'

/** Adds the events; false, and nothing written, when others have been written after those that the writer saw. */
export function addEvents(statements: Statements, { stream, after, events }: EncodedStream): boolean {
  const last = statements.get(lastSql, stream)?.sequence ?? 0
  if (last !== after) return false
  let sequence = after
  for (const { at, type, body } of events) {
    sequence += 1
    statements.run(insertSql, stream, sequence, at, type, body)
  }
  return true
}

/** Events of one stream in order; without a limit, all of them. Throws STORE_CORRUPT for a damaged body. */
export function readEvents(
  statements: Statements,
  stream: string,
  { after = 0, limit = -1 }: { after?: number; limit?: number } = {},
): StoredEvent[] {
  return statements.all(readSql, stream, after, limit).map((row) => storedEvent(stream, row))
}

function storedEvent(stream: string, row: Row): StoredEvent {
  const sequence = row.sequence as number
  const event = fromJsonText(row.body as string)
  if (typeof event !== 'object' || event === null) {
    const place = `Event ${sequence} of stream "${stream}"`
    throw new ToolpostError('STORE_CORRUPT', `${place} is not JSON; restore the file from a backup.`, {
      details: { stream, sequence },
    })
  }
  return { stream, sequence, at: row.at as number, event: event as Event }
}
