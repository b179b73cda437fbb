import type { DatabaseSync } from 'node:sqlite'
import { ToolpostError } from '../../core/error.ts'
import { inTransaction } from './in-transaction.ts'

/** Counts the changes of the tables below. */
const layoutVersion = 1

/** The header of the file names us by it, so that another application's file is never taken for ours: "TPst". */
const applicationId = 0x54507374

// `at` and `expires_at` are REAL: a JavaScript number goes in and comes out unchanged, fractions included.
const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  stream TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  at REAL NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (stream, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE index_rows (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  stream TEXT NOT NULL,
  subject TEXT NOT NULL,
  status TEXT NOT NULL,
  at REAL NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX index_rows_by_time ON index_rows (kind, at, id);
CREATE INDEX index_rows_by_status ON index_rows (kind, status, at, id);
CREATE INDEX index_rows_by_subject ON index_rows (kind, subject, at, id);
CREATE INDEX index_rows_by_subject_status ON index_rows (kind, subject, status, at, id);
CREATE INDEX index_rows_by_stream ON index_rows (kind, stream, at, id);
CREATE TABLE unique_keys (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE leases (
  stream TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  owner TEXT NOT NULL,
  expires_at REAL NOT NULL,
  released INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE blobs (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE blob_holders (
  digest TEXT NOT NULL,
  stream TEXT NOT NULL,
  PRIMARY KEY (digest, stream)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_holders_by_stream ON blob_holders (stream);
PRAGMA application_id = ${applicationId};
`

/**
 * Makes the tables in an empty database, or sees that they are those of this version.
 * Throws STORE_CORRUPT for a database that is not ours or of another version.
 */
export function ensureLayout(database: DatabaseSync, path: string): void {
  inTransaction(database, () => {
    if (isEmpty(database)) create(database)
    else requireOurs(database, path)
  })
}

/** The same check without a write, for use before anything of the file is changed. */
export function requireEmptyOrOurs(database: DatabaseSync, path: string): void {
  if (!isEmpty(database)) requireOurs(database, path)
}

function create(database: DatabaseSync): void {
  database.exec(tables)
  database.prepare('INSERT INTO meta VALUES (?, ?)').run('layout', String(layoutVersion))
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

function requireOurs(database: DatabaseSync, path: string): void {
  if (database.prepare('PRAGMA application_id').get()?.application_id !== applicationId) {
    throw corrupt(path, 'is the database of another application; name a file of its own for the store')
  }
  const layout = database.prepare("SELECT value FROM meta WHERE key = 'layout'").get()?.value
  if (layout !== String(layoutVersion)) {
    const remedy = 'use the version of toolpost that wrote it or a later one, or name another file'
    throw corrupt(
      path,
      `has layout ${String(layout)}, and this version reads layout ${layoutVersion}; ${remedy}`,
    )
  }
}

function corrupt(path: string, fault: string): ToolpostError {
  return new ToolpostError('STORE_CORRUPT', `"${path}" ${fault}.`, { details: { path } })
}
