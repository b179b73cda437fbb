import { ToolpostError } from '../../core/error.ts'
import type { Append, LeaseProof } from '../../core/store.ts'
import type { EncodedStream } from './event-table.ts'
import { toJsonText } from './json-text.ts'
import type { EncodedRow } from './row-table.ts'

/** An append as text: what the caller does with his objects before the commit changes nothing. */
export interface EncodedAppend {
  readonly streams: readonly EncodedStream[]
  readonly rows: readonly EncodedRow[]
  readonly uniqueKeys: readonly string[]
  readonly lease: LeaseProof | undefined
}

/** Throws INVALID_ARGUMENT for a name that SQLite cannot keep apart from others. */
export function encodeAppend({ streams, rows = [], uniqueKeys = [], lease }: Append): EncodedAppend {
  return {
    streams: streams.map(({ stream, after, events }) => ({
      stream: requireName(stream),
      after,
      events: events.map(({ at, event }) => ({ at, type: event.type, body: toJsonText(event) })),
    })),
    rows: rows.map((row) => ({ ...row, id: requireName(row.id), data: toJsonText(row.data) })),
    uniqueKeys: uniqueKeys.map(requireName),
    lease: lease && { stream: lease.stream, epoch: lease.epoch },
  }
}

/** Half a surrogate pair has no UTF-8: SQLite would put the same sign in place of each, and two names would be one. */
export function requireName(name: string): string {
  if (name.isWellFormed()) return name
  throw new ToolpostError('INVALID_ARGUMENT', `The name ${JSON.stringify(name)} holds half a surrogate pair.`)
}
