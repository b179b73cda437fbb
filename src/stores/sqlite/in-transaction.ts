import type { DatabaseSync } from 'node:sqlite'

/** Runs `body` in a write transaction: committed when it returns, rolled back when it throws. */
export function inTransaction(database: DatabaseSync, body: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    body()
    database.exec('COMMIT')
  } catch (thrown) {
    rollBack(database)
    throw thrown
  }
}

/** After some failures (a full disk) SQLite has rolled back by itself: then there is nothing left to undo. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // "cannot rollback - no transaction is active"
  }
}
