import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SqliteStore, sqlite } from '../../dist/sqlite.js'

/** A SQLite store in a folder of its own that is removed with it. It syncs as it does everywhere: FULL. */
export function temporaryStore(): SqliteStore & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), 'toolpost-bench-'))
  const store = sqlite(join(folder, 'bench.db'))
  const { journalMode, synchronous } = store.pragmas()
  if (journalMode !== 'wal' || synchronous !== 2) throw new Error('The store does not sync every commit.')
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  })
}
