import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isToolpostError } from '../../src/core/error.ts'
import { sqlite } from '../../src/stores/sqlite/sqlite-store.ts'
import { storeSuite } from '../../src/testing/store-suite.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { event } from './fixtures/event.ts'

storeSuite(
  'sqlite',
  async () => {
    const folder = temporaryFolder()
    const open = () => sqlite(join(folder.path, 'store.db'), { pollMs: 5 })
    const store = open()
    return {
      store,
      reopen: async () => open(),
      second: async () => open(),
      cleanup: async () => {
        await store.close()
        folder.remove()
      },
    }
  },
  { describe, test, expect },
)

storeSuite(
  'sqlite in memory',
  async () => {
    const store = sqlite(':memory:')
    return { store, cleanup: () => store.close() }
  },
  { describe, test, expect },
)

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

describe('opening a SQLite store', () => {
  test('the open connection keeps a write-ahead log and syncs fully', async () => {
    const store = sqlite(join(folder.path, 'store.db'))
    expect(store.pragmas()).toEqual({ journalMode: 'wal', synchronous: 2 })
    await store.close()
  })

  test('missing parent folders are made, and the file is for its user alone', async () => {
    const path = join(folder.path, 'a', 'b', 'store.db')
    const store = sqlite(path)
    await store.append({ streams: [] })
    for (const file of [path, `${path}-wal`]) expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    await store.close()
    // The log was taken into the file.
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test('a file that is no database is STORE_CORRUPT, names the path, and stays as it was', () => {
    const path = join(folder.path, 'notes.txt')
    const text = 'Not a database, but longer than the header of one would be. '.repeat(40)
    writeFileSync(path, text)
    const error = thrownBy(() => sqlite(path))
    expect(error.code).toBe('STORE_CORRUPT')
    expect(error.message).toContain(path)
    expect(statSync(path).size).toBe(text.length)
  })

  test("another application's database is STORE_CORRUPT and stays as it was", () => {
    const path = join(folder.path, 'other.db')
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE events (mine TEXT)')
    expect(thrownBy(() => sqlite(path))).toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('another application'),
    })
    expect(other.prepare('PRAGMA journal_mode').get()?.journal_mode).toBe('delete')
    expect(other.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables).toBe(1)
    other.close()
  })

  test('a layout of another version is STORE_CORRUPT and says what to do', async () => {
    const path = join(folder.path, 'store.db')
    await sqlite(path).close()
    const later = new DatabaseSync(path)
    later.exec("UPDATE meta SET value = '99' WHERE key = 'layout'")
    later.close()
    expect(thrownBy(() => sqlite(path))).toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(/layout 99.*reads layout 1; use the version/),
    })
  })

  test('a path that cannot be written is INVALID_ARGUMENT and names the path', () => {
    const file = join(folder.path, 'file')
    writeFileSync(file, '')
    mkdirSync(join(folder.path, 'folder.db'))
    for (const path of [join(file, 'store.db'), join(folder.path, 'folder.db'), `${file}\u0000.db`]) {
      const error = thrownBy(() => sqlite(path))
      expect(error.code).toBe('INVALID_ARGUMENT')
      expect(error.message).toContain(path)
    }
    expect(thrownBy(() => sqlite('')).code).toBe('INVALID_ARGUMENT')
  })
})

describe('a SQLite store in use', () => {
  test('a body that was damaged from outside is STORE_CORRUPT and names the event', async () => {
    const path = join(folder.path, 'store.db')
    const store = sqlite(path)
    await store.append({ streams: [{ stream: 's', after: 0, events: [{ at: 1, event: event('x') }] }] })
    const vandal = new DatabaseSync(path)
    vandal.exec("UPDATE events SET body = '{'")
    vandal.close()
    await expect(store.read('s')).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('Event 1 of stream "s"'),
    })
    await store.close()
  })

  test('an append waits for a lock that is let go, and names the file when it is not', async () => {
    const path = join(folder.path, 'store.db')
    const patient = sqlite(path)
    const impatient = sqlite(path, { lockWaitMs: 30 })
    const holder = new DatabaseSync(path)
    holder.exec('BEGIN IMMEDIATE')
    const waiting = patient.append({ streams: [] })
    await expect(impatient.append({ streams: [] })).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
      message: expect.stringContaining(path),
    })
    holder.exec('COMMIT')
    expect(await waiting).toEqual({ ok: true })
    expect(await impatient.append({ streams: [] })).toEqual({ ok: true })
    holder.close()
    await Promise.all([patient.close(), impatient.close()])
  })

  test('an append that fails inside the database takes none of its group with it', async () => {
    const store = sqlite(join(folder.path, 'store.db'))
    const stamped = (at: number) => ({ at, event: event('x') })
    const results = await Promise.allSettled([
      store.append({ streams: [{ stream: 'a', after: 0, events: [stamped(1)] }] }),
      // NaN has no place in a column of numbers: SQLite refuses it as NULL, after the first event was written.
      store.append({ streams: [{ stream: 'b', after: 0, events: [stamped(1), stamped(Number.NaN)] }] }),
      store.append({ streams: [{ stream: 'c', after: 0, events: [stamped(1)] }] }),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await store.read('b')).toEqual([])
    expect((await store.read('c')).length).toBe(1)
    await store.close()
  })

  test('more appends than one commit takes all arrive', async () => {
    const store = sqlite(join(folder.path, 'store.db'))
    const count = 1_000
    const results = Array.from({ length: count }, (_, after) =>
      store.append({ streams: [{ stream: 's', after, events: [{ at: after, event: event(after) }] }] }),
    )
    expect((await Promise.all(results)).every(({ ok }) => ok)).toBe(true)
    expect((await store.read('s')).length).toBe(count)
    await store.close()
  })
})

function thrownBy(action: () => unknown): { code: string; message: string } {
  try {
    action()
  } catch (thrown) {
    if (isToolpostError(thrown)) return thrown
    throw thrown
  }
  throw new Error('Nothing was thrown.')
}
