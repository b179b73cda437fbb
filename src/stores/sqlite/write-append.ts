import type { AppendResult } from '../../core/store.ts'
import type { Outcome } from './commit-queue.ts'
import type { EncodedAppend } from './encoded-append.ts'
import { addEvents } from './event-table.ts'
import { isInForce } from './lease-table.ts'
import { putRow } from './row-table.ts'
import type { Statements } from './statements.ts'

const isUsedSql = 'SELECT 1 FROM unique_keys WHERE key = ?'
const useSql = 'INSERT INTO unique_keys (key) VALUES (?)'

/** Writes an append as far as its conditions hold; when one does not, the caller undoes what was written. */
export function writeAppend(statements: Statements, append: EncodedAppend): Outcome<AppendResult> {
  if (append.lease !== undefined && !isInForce(statements, append.lease)) return refused('lease')
  for (const stream of append.streams) if (!addEvents(statements, stream)) return refused('sequence')
  for (const key of append.uniqueKeys) if (!useKey(statements, key)) return refused('unique')
  for (const row of append.rows) putRow(statements, row)
  return { keep: true, value: { ok: true } }
}

function useKey(statements: Statements, key: string): boolean {
  if (statements.get(isUsedSql, key) !== undefined) return false
  statements.run(useSql, key)
  return true
}

function refused(conflict: 'sequence' | 'lease' | 'unique'): Outcome<AppendResult> {
  return { keep: false, value: { ok: false, conflict } }
}
