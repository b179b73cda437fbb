import type { SQLInputValue } from 'node:sqlite'
import { ToolpostError } from '../../core/error.ts'
import type { IndexKind, IndexQuery, IndexRow } from '../../core/store.ts'
import { fromJsonText } from './json-text.ts'
import type { Row, Statements } from './statements.ts'

const limitDefault = 100
const limitMax = 1_000

const putSql =
  'INSERT OR REPLACE INTO index_rows (kind, id, stream, subject, status, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)'
// Most rows that are written again differ in their data alone: then no index is touched, and the commit is smaller.
const refreshSql =
  'UPDATE index_rows SET data = ? WHERE kind = ? AND id = ? AND stream = ? AND subject = ? AND status = ? AND at = ?'

/** An index row whose data is text already. */
export type EncodedRow = Omit<IndexRow, 'data'> & { readonly data: string }

export function putRow(statements: Statements, row: EncodedRow): void {
  const { kind, id, stream, subject, status, at, data } = row
  const changes = statements.run(refreshSql, data, kind, id, stream, subject, status, at)
  if (changes === 0) statements.run(putSql, kind, id, stream, subject, status, at, data)
}

/**
 * The rows that a query asks for. Several statuses are asked for one by one and merged, so that every statement can
 * walk an index in order and stop at the limit, however many rows there are.
 */
export function listRows(statements: Statements, query: IndexQuery): IndexRow[] {
  const { status } = query
  const limit = Math.min(query.limit ?? limitDefault, limitMax)
  if (status === undefined || typeof status === 'string') return select(statements, query, status, limit)
  const rows = [...new Set(status)].flatMap((each) => select(statements, query, each, limit))
  const direction = query.newestFirst === true ? -1 : 1
  return rows.sort((left, right) => direction * compare(left, right)).slice(0, limit)
}

function select(
  statements: Statements,
  query: IndexQuery,
  status: string | undefined,
  limit: number,
): IndexRow[] {
  // A stream has few rows: its index serves best, and a plus sign takes the other columns from the planner's choice.
  const passedOver = query.stream === undefined ? [] : ['subject', 'status']
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  for (const [column, value] of Object.entries({ ...equalities(query), status })) {
    if (value === undefined) continue
    conditions.push(`${passedOver.includes(column) ? '+' : ''}${column} = ?`)
    values.push(value)
  }
  const [comparison, order] = query.newestFirst === true ? ['<', 'DESC'] : ['>', 'ASC']
  if (query.after !== undefined) {
    conditions.push(`(at, id) ${comparison} (?, ?)`)
    values.push(query.after.at, query.after.id)
  }
  const where = conditions.join(' AND ')
  const sql = `SELECT * FROM index_rows WHERE ${where} ORDER BY at ${order}, id ${order} LIMIT ?`
  return statements.all(sql, ...values, limit).map(indexRow)
}

function equalities({ kind, id, stream, subject }: IndexQuery): Record<string, string | undefined> {
  return { kind, id, stream, subject }
}

function indexRow(row: Row): IndexRow {
  const { kind, id, stream, subject, status, at } = row as unknown as EncodedRow
  const data = fromJsonText(row.data as string)
  if (typeof data !== 'object' || data === null) {
    throw new ToolpostError(
      'STORE_CORRUPT',
      `The index row "${id}" is not JSON; restore the file from a backup.`,
      {
        details: { kind, id },
      },
    )
  }
  return { kind: kind as IndexKind, id, stream, subject, status, at, data: data as IndexRow['data'] }
}

/** As SQLite orders them: by time, then by the bytes of the id. */
function compare(left: IndexRow, right: IndexRow): number {
  return left.at - right.at || Buffer.compare(Buffer.from(left.id), Buffer.from(right.id))
}
