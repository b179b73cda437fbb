import { ToolpostError } from '../../core/error.ts'
import { checkNothingMore } from '../../core/known-keys.ts'
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
import { type OnChange, Watchers } from '../../core/watchers.ts'
import { BlobShelf } from './blob-shelf.ts'
import { EventLog } from './event-log.ts'
import { LeaseBook } from './lease-book.ts'
import { RowIndex } from './row-index.ts'

/**
 * A store in this process's memory: for tests, for the browser, and for what need not outlive the process.
 * What is appended is copied, and what is read is frozen, so that nobody can change the log.
 *
 * Errors: STORE_CLOSED after `close`, which also lets go of everything that was kept.
 */
export function memoryStore(...more: readonly never[]): Store {
  checkNothingMore(more, 'memoryStore()', 'no arguments')
  return new MemoryStore()
}

class MemoryStore implements Store {
  private log = new EventLog()
  private rows = new RowIndex()
  private leases = new LeaseBook()
  private readonly uniqueKeys = new Set<string>()
  private blobs = new BlobShelf()
  private readonly watchers = new Watchers()
  private isClosed = false

  async append(append: Append): Promise<AppendResult> {
    this.requireOpen()
    requirePlainAppend(append)
    const conflict = this.conflictOf(append)
    if (conflict !== undefined) return { ok: false, conflict }
    for (const stream of append.streams) this.log.add(stream)
    for (const row of append.rows ?? []) this.rows.put(row)
    for (const key of append.uniqueKeys ?? []) this.uniqueKeys.add(key)
    this.watchers.announce(append.streams.map(({ stream }) => stream))
    return { ok: true }
  }

  async read(
    stream: string,
    options: { after?: number; limit?: number } = {},
  ): Promise<readonly StoredEvent[]> {
    this.requireOpen()
    return this.log.read(stream, options.after ?? 0, options.limit ?? Number.POSITIVE_INFINITY)
  }

  async list(query: IndexQuery): Promise<readonly IndexRow[]> {
    this.requireOpen()
    return this.rows.list(query)
  }

  async putBlob(stream: string, bytes: Uint8Array): Promise<string> {
    this.requireOpen()
    return this.blobs.put(stream, bytes)
  }

  async getBlob(stream: string, digest: string): Promise<Uint8Array | undefined> {
    this.requireOpen()
    return this.blobs.get(stream, digest)
  }

  async removeStream(lease: LeaseProof): Promise<boolean> {
    this.requireOpen()
    if (!this.leases.isInForce(lease)) return false
    this.log.remove(lease.stream)
    this.rows.removeOf(lease.stream)
    this.blobs.removeOf(lease.stream)
    this.leases.release(lease)
    this.watchers.announce([lease.stream])
    return true
  }

  async acquireLease(
    stream: string,
    owner: string,
    durationMs: number,
    now: number,
  ): Promise<Lease | undefined> {
    this.requireOpen()
    return this.leases.acquire(stream, owner, durationMs, now)
  }

  async readLease(stream: string): Promise<Lease | undefined> {
    this.requireOpen()
    return this.leases.read(stream)
  }

  async releaseLease(lease: LeaseProof): Promise<void> {
    this.requireOpen()
    this.leases.release(lease)
    this.watchers.announce([lease.stream])
  }

  watch(onChange: OnChange, stream?: string): () => void {
    this.requireOpen()
    return this.watchers.add(onChange, stream)
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    this.watchers.clear()
    this.log = new EventLog()
    this.rows = new RowIndex()
    this.leases = new LeaseBook()
    this.uniqueKeys.clear()
    this.blobs = new BlobShelf()
  }

  private conflictOf({ streams, uniqueKeys, lease }: Append): 'lease' | 'sequence' | 'unique' | undefined {
    if (lease !== undefined && !this.leases.isInForce(lease)) return 'lease'
    if (!this.log.continues(streams)) return 'sequence'
    if (uniqueKeys === undefined || uniqueKeys.length === 0) return undefined
    const isRepeated = new Set(uniqueKeys).size < uniqueKeys.length
    return isRepeated || uniqueKeys.some((key) => this.uniqueKeys.has(key)) ? 'unique' : undefined
  }

  private requireOpen(): void {
    if (this.isClosed) throw new ToolpostError('STORE_CLOSED', 'The memory store was closed; make a new one.')
  }
}
