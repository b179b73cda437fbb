import { deepFreeze } from '../../core/json/deep-freeze.ts'
import type { IndexKind, IndexQuery, IndexRow } from '../../core/store.ts'
import { ownCopy } from './own-copy.ts'

const limitDefault = 100
const limitMax = 1_000

/** The index rows of a memory store. */
export class RowIndex {
  private readonly kinds = new Map<IndexKind, Map<string, IndexRow>>()

  put(row: IndexRow): void {
    const rows = this.kinds.get(row.kind) ?? new Map<string, IndexRow>()
    this.kinds.set(row.kind, rows)
    rows.set(row.id, ownCopy(row))
  }

  list(query: IndexQuery): readonly IndexRow[] {
    const direction = query.newestFirst === true ? -1 : 1
    const matching = this.candidates(query).filter((row) => matches(row, query, direction))
    matching.sort((left, right) => direction * compare(left, right))
    return matching.slice(0, Math.min(query.limit ?? limitDefault, limitMax)).map(deepFreeze)
  }

  removeOf(stream: string): void {
    for (const rows of this.kinds.values()) {
      for (const row of rows.values()) if (row.stream === stream) rows.delete(row.id)
    }
  }

  private candidates({ kind, id }: IndexQuery): IndexRow[] {
    const rows = this.kinds.get(kind)
    if (rows === undefined) return []
    if (id === undefined) return [...rows.values()]
    const row = rows.get(id)
    return row === undefined ? [] : [row]
  }
}

function matches(row: IndexRow, query: IndexQuery, direction: number): boolean {
  const { stream, subject, status, after } = query
  if (stream !== undefined && row.stream !== stream) return false
  if (subject !== undefined && row.subject !== subject) return false
  if (typeof status === 'string' && row.status !== status) return false
  if (typeof status === 'object' && !status.includes(row.status)) return false
  return after === undefined || direction * compare(row, after) > 0
}

interface Place {
  readonly at: number
  readonly id: string
}

function compare(left: Place, right: Place): number {
  if (left.at !== right.at) return left.at - right.at
  if (left.id === right.id) return 0
  return left.id < right.id ? -1 : 1
}
