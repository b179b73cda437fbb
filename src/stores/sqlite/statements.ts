import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** One row as SQLite gives it; the layout's STRICT tables vouch for the types of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** Prepared statements of one connection: each text is prepared once. */
export class Statements {
  private readonly database: DatabaseSync
  private readonly prepared = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.database = database
  }

  /** Gives the number of rows that were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes)
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.prepare(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.prepare(sql).all(...values)
  }

  private prepare(sql: string): StatementSync {
    const known = this.prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.database.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }
}
