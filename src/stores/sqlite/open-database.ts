import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ToolpostError } from '../../core/error.ts'
import { messageOf } from '../../core/message-of.ts'
import { ensureLayout, requireEmptyOrOurs } from './layout.ts'
import { isBusy, resultCode, resultCodeOf, storeFault } from './sqlite-fault.ts'

/** How long one statement may block this process for another's lock; longer waits are taken between attempts. */
const busyTimeoutMs = 10

export interface OpenOptions {
  /** How long to wait for the lock of another process, in milliseconds. */
  readonly lockWaitMs: number
}

/**
 * Opens the file, or makes it with its parent folders, readable by its user alone. Blocks while another process that
 * opens the same file at the same moment holds the lock.
 *
 * Errors: INVALID_ARGUMENT for a path that cannot be opened and written; STORE_CORRUPT for a file that is not ours;
 * STORE_CONFLICT when another process kept the lock longer than `lockWaitMs`.
 */
export function openDatabase(path: string, options: OpenOptions): DatabaseSync {
  if (typeof path !== 'string' || path === '') {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      'The path of a SQLite store must be a file path or ":memory:".',
    )
  }
  if (path === ':memory:') return connect(path, options)
  const file = resolve(path)
  try {
    makeFolders(dirname(file))
    createPrivately(file)
  } catch (thrown) {
    throw notWritable(path, thrown)
  }
  return connect(file, options)
}

// Level by level: where the system calls a new folder "not found", as in /proc, a recursive mkdir tries for ever.
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  }
}

// Only ever a new file: closing a second descriptor of an open database would drop the locks that SQLite holds on it.
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  }
}

function connect(path: string, { lockWaitMs }: OpenOptions): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(path)
    database = opened
    opened.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    blockingWhileBusy(lockWaitMs, () => prepare(opened, path))
    return opened
  } catch (thrown) {
    database?.close()
    throw openFault(thrown, path)
  }
}

function prepare(database: DatabaseSync, path: string): void {
  requireEmptyOrOurs(database, path)
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal' && path !== ':memory:') {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `"${path}" lies on a file system that cannot hold a write-ahead log; name a file on a local disk.`,
    )
  }
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  ensureLayout(database, path)
}

/** Opening is synchronous, so its wait is too. */
function blockingWhileBusy(limitMs: number, attempt: () => void): void {
  const giveUpAt = performance.now() + limitMs
  for (;;) {
    try {
      attempt()
      return
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > giveUpAt) throw thrown
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyTimeoutMs)
    }
  }
}

function openFault(thrown: unknown, path: string): unknown {
  const { cannotOpen, permission, readOnly } = resultCode
  const code = resultCodeOf(thrown)
  const isUnwritable = code === cannotOpen || code === permission || code === readOnly
  return isUnwritable ? notWritable(path, thrown) : storeFault(thrown, path)
}

function notWritable(path: string, cause: unknown): ToolpostError {
  const advice = 'name a file in a folder that this user may write to'
  return new ToolpostError(
    'INVALID_ARGUMENT',
    `"${path}" cannot be opened for writing (${messageOf(cause, 200)}); ${advice}.`,
    { cause, details: { path } },
  )
}
