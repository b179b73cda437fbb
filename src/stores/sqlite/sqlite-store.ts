import type { DatabaseSync } from 'node:sqlite'
import { ToolpostError } from '../../core/error.ts'
import { digestBytes } from '../../core/json/digest.ts'
import { checkOptions } from '../../core/known-keys.ts'
import { requirePlainAppend } from '../../core/require-plain-append.ts'
import type {
  Append,
  AppendResult,
  IndexQuery,
  IndexRow,
  Lease,
  LeaseProof,
  Store,
  StoredEvent,
} from '../../core/store.ts'
import type { OnChange } from '../../core/watchers.ts'
import { keepBlob, readBlob } from './blob-table.ts'
import { Changes } from './changes.ts'
import { CommitQueue, type Outcome } from './commit-queue.ts'
import { encodeAppend, requireName } from './encoded-append.ts'
import { readEvents } from './event-table.ts'
import { readLease, releaseLease, takeLease } from './lease-table.ts'
import { openDatabase } from './open-database.ts'
import { removeStream } from './remove-stream.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { listRows } from './row-table.ts'
import { storeFault } from './sqlite-fault.ts'
import { Statements } from './statements.ts'
import { writeAppend } from './write-append.ts'

/** Options of a SQLite store. */
export interface SqliteOptions {
  /** How often a watched store looks for changes by other processes, in milliseconds; default 50. */
  readonly pollMs?: number
  /** How long an operation waits for another process's lock, in milliseconds; default 10,000. */
  readonly lockWaitMs?: number
}

/** A store in one SQLite file. */
export interface SqliteStore extends Store {
  /** What the open connection says of itself: `wal` (`memory` for `:memory:`) and 2, which is FULL. */
  pragmas(): { readonly journalMode: string; readonly synchronous: number }
}

/**
 * A store in a SQLite file, or in memory for the path `:memory:`. The file and its parent folders are made when they
 * are missing. Several processes may hold the same file open; it must lie on a local disk. An append is synced
 * to the disk before it resolves; appends of one turn of the event loop share a sync.
 *
 * Errors: INVALID_ARGUMENT for a path that cannot be written and for an option that does not exist; STORE_CORRUPT for a file that holds something else or
 * another version's data; STORE_CONFLICT when a lock outlasts `lockWaitMs`; STORE_CLOSED after `close`. An error of
 * the disk itself is thrown as `node:sqlite` gives it.
 */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteStore {
  checkOptions(options, ['pollMs', 'lockWaitMs'], 'sqlite()')
  const { pollMs = 50, lockWaitMs = 10_000 } = options
  return new SqliteFileStore(openDatabase(path, { lockWaitMs }), path, pollMs, lockWaitMs)
}

class SqliteFileStore implements SqliteStore {
  private readonly database: DatabaseSync
  private readonly path: string
  private readonly lockWaitMs: number
  private readonly statements: Statements
  private readonly queue: CommitQueue
  private readonly changes: Changes
  private closing: Promise<void> | undefined

  constructor(database: DatabaseSync, path: string, pollMs: number, lockWaitMs: number) {
    this.database = database
    this.path = path
    this.lockWaitMs = lockWaitMs
    this.statements = new Statements(database)
    this.queue = new CommitQueue(database, lockWaitMs)
    this.changes = new Changes(() => this.statements.get('PRAGMA data_version')?.data_version, pollMs)
  }

  async append(append: Append): Promise<AppendResult> {
    this.requireOpen()
    requirePlainAppend(append)
    const encoded = encodeAppend(append)
    const result = await this.write(() => writeAppend(this.statements, encoded))
    if (result.ok) this.changes.announce(append.streams.map(({ stream }) => stream))
    return result
  }

  async read(stream: string, options?: { after?: number; limit?: number }): Promise<readonly StoredEvent[]> {
    return this.look(() => readEvents(this.statements, requireName(stream), options))
  }

  async list(query: IndexQuery): Promise<readonly IndexRow[]> {
    return this.look(() => listRows(this.statements, query))
  }

  async putBlob(stream: string, bytes: Uint8Array): Promise<string> {
    this.requireOpen()
    requireName(stream)
    const copy = new Uint8Array(bytes)
    const digest = digestBytes(copy)
    await this.write(() => kept(keepBlob(this.statements, stream, digest, copy)))
    return digest
  }

  async getBlob(stream: string, digest: string): Promise<Uint8Array | undefined> {
    return this.look(() => readBlob(this.statements, requireName(stream), digest))
  }

  async removeStream(lease: LeaseProof): Promise<boolean> {
    this.requireOpen()
    requireName(lease.stream)
    const removed = await this.write(() => kept(removeStream(this.statements, lease)))
    if (removed) this.changes.announce([lease.stream])
    return removed
  }

  async acquireLease(
    stream: string,
    owner: string,
    durationMs: number,
    now: number,
  ): Promise<Lease | undefined> {
    this.requireOpen()
    requireName(stream)
    requireName(owner)
    return this.write(() => kept(takeLease(this.statements, stream, owner, durationMs, now)))
  }

  async readLease(stream: string): Promise<Lease | undefined> {
    return this.look(() => readLease(this.statements, requireName(stream)))
  }

  async releaseLease({ stream, epoch }: LeaseProof): Promise<void> {
    this.requireOpen()
    await this.write(() => kept(releaseLease(this.statements, { stream, epoch })))
    this.changes.announce([stream])
  }

  watch(onChange: OnChange, stream?: string): () => void {
    this.requireOpen()
    return this.changes.watch(onChange, stream)
  }

  pragmas(): { readonly journalMode: string; readonly synchronous: number } {
    this.requireOpen()
    return {
      journalMode: this.statements.get('PRAGMA journal_mode')?.journal_mode as string,
      synchronous: this.statements.get('PRAGMA synchronous')?.synchronous as number,
    }
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  private async finish(): Promise<void> {
    this.changes.stop()
    await this.queue.idle()
    try {
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another process is reading: whoever opens the file next finds everything in the write-ahead log.
    }
    this.database.close()
  }

  private async write<Value>(write: () => Outcome<Value>): Promise<Value> {
    try {
      return await this.queue.add(write)
    } catch (thrown) {
      throw storeFault(thrown, this.path)
    }
  }

  private async look<Value>(look: () => Value): Promise<Value> {
    try {
      return await retryWhileBusy(this.lockWaitMs, () => {
        this.requireOpen()
        return look()
      })
    } catch (thrown) {
      throw storeFault(thrown, this.path)
    }
  }

  private requireOpen(): void {
    if (this.closing === undefined) return
    throw new ToolpostError('STORE_CLOSED', `The store "${this.path}" was closed; open it again.`)
  }
}

function kept<Value>(value: Value): Outcome<Value> {
  return { keep: true, value }
}
