import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { rollBack } from './in-transaction.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

/** How many writes share one commit at most: more would keep the event loop from its other work too long. */
const groupMax = 256

/** What a write gives back, and whether it stands: `keep: false` undoes whatever it wrote. */
export interface Outcome<Value> {
  readonly keep: boolean
  readonly value: Value
}

/** One write, on its way to a commit. */
interface Entry {
  /** Runs inside a savepoint of its own and says whether the savepoint is kept. */
  attempt(): boolean
  settle(): void
  fail(thrown: unknown): void
}

/**
 * Groups writes that arrive in one turn of the event loop into one transaction, and so into one sync of the disk.
 * Each has a savepoint of its own: one that is refused or throws takes no other with it. Promises resolve
 * after the commit.
 */
export class CommitQueue {
  private readonly database: DatabaseSync
  private readonly lockWaitMs: number
  private readonly statements: Record<'begin' | 'commit' | 'savepoint' | 'release' | 'undo', StatementSync>
  private entries: Entry[] = []
  private isRunning = false
  private readonly whenIdle: (() => void)[] = []

  constructor(database: DatabaseSync, lockWaitMs: number) {
    this.database = database
    this.lockWaitMs = lockWaitMs
    this.statements = {
      begin: database.prepare('BEGIN IMMEDIATE'),
      commit: database.prepare('COMMIT'),
      savepoint: database.prepare('SAVEPOINT one'),
      release: database.prepare('RELEASE one'),
      undo: database.prepare('ROLLBACK TO one'),
    }
  }

  add<Value>(write: () => Outcome<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      let outcome: Outcome<Value> | undefined
      this.entries.push({
        attempt: () => {
          outcome = write()
          return outcome.keep
        },
        settle: () => resolve((outcome as Outcome<Value>).value),
        fail: reject,
      })
      if (this.isRunning) return
      this.isRunning = true
      setImmediate(() => void this.run())
    })
  }

  /** Resolves when everything that was added has been committed or has failed. */
  idle(): Promise<void> {
    if (!this.isRunning) return Promise.resolve()
    return new Promise((resolve) => this.whenIdle.push(resolve))
  }

  private async run(): Promise<void> {
    await this.commitGroup()
    if (this.entries.length > 0) {
      setImmediate(() => void this.run())
      return
    }
    this.isRunning = false
    for (const resolve of this.whenIdle.splice(0)) resolve()
  }

  private async commitGroup(): Promise<void> {
    try {
      await retryWhileBusy(this.lockWaitMs, () => this.commitNow())
    } catch (thrown) {
      for (const entry of this.entries.splice(0)) entry.fail(thrown)
    }
  }

  /** Throws only when the transaction could not begin: then every write still stands in the queue. */
  private commitNow(): void {
    this.statements.begin.run()
    const group = this.entries.splice(0, groupMax)
    try {
      const settled = group.filter((entry) => this.runAlone(entry))
      this.statements.commit.run()
      for (const entry of settled) entry.settle()
    } catch (thrown) {
      rollBack(this.database)
      for (const entry of group) entry.fail(thrown)
    }
  }

  /** False when the write failed and was told so. */
  private runAlone(entry: Entry): boolean {
    this.statements.savepoint.run()
    try {
      if (!entry.attempt()) this.statements.undo.run()
    } catch (thrown) {
      // Throws in its turn when the failure has ended the whole transaction: then the whole group fails.
      this.statements.undo.run()
      this.statements.release.run()
      entry.fail(thrown)
      return false
    }
    this.statements.release.run()
    return true
  }
}
