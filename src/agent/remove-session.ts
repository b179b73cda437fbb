import { isToolpostError, ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import type { IndexRow } from '../core/store.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import { listAll } from '../runtime/list-all.ts'
import { ownSession } from '../runtime/ownership.ts'
import type { RuntimeParts } from '../runtime/parts.ts'

/**
 * Removes a session and those that its calls have started, the children first: what is cut short can be done again.
 * A log that cannot be read is removed like any other. `mayGo` is asked while nobody else can drive the session: what it
 * says no to stays, and then this gives false.
 * Errors: SESSION_NOT_FOUND; SESSION_BUSY while a process owns one of them.
 */
export async function removeSession(
  parts: RuntimeParts,
  id: string,
  mayGo: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const row = await rowOf(parts, id)
  if (row === undefined)
    throw new ToolpostError('SESSION_NOT_FOUND', `The store holds no session ${named(id)}.`)
  return await remove(parts, row, mayGo)
}

async function remove(parts: RuntimeParts, row: IndexRow, mayGo?: () => Promise<boolean>): Promise<boolean> {
  const ownership = await ownSession(parts, sessionStream(row.id))
  try {
    if (mayGo !== undefined && !(await mayGo())) return false
    for (const child of await childrenOf(parts, row)) await remove(parts, child)
    return await parts.store.removeStream(ownership.lease)
  } finally {
    await ownership.release()
  }
}

/** The sessions right below one. Where its log cannot be read, they are found by what is said of them elsewhere. */
async function childrenOf(parts: RuntimeParts, row: IndexRow): Promise<IndexRow[]> {
  const log = await read(parts, row.id)
  const found: IndexRow[] = []
  if (log === undefined) {
    for await (const other of listAll(parts.store, { kind: 'session' }))
      if (await isBelow(parts, other, row, row.id === rootOf(row))) found.push(other)
    return found
  }
  for (const { children = [] } of log.state.calls.values()) {
    for (const { session } of children) {
      const child = await rowOf(parts, session)
      if (child !== undefined && (await isBelow(parts, child, row, true))) found.push(child)
    }
  }
  return found
}

/**
 * Whether a session hangs right below another, or below no other: where one hangs whose log cannot be read, `otherwise`
 * tells. A fork names the children of the session that it was forked from, and they are not its own.
 */
async function isBelow(
  parts: RuntimeParts,
  child: IndexRow,
  above: IndexRow,
  otherwise: boolean,
): Promise<boolean> {
  const root = rootOf(above)
  if (child.id === root || rootOf(child) !== root) return false
  const log = await read(parts, child.id)
  return log === undefined ? otherwise : log.state.parent?.session === above.id
}

function rootOf({ id, data }: IndexRow): string {
  return typeof data.root === 'string' ? data.root : id
}

async function rowOf({ store }: RuntimeParts, id: string): Promise<IndexRow | undefined> {
  const [row] = await store.list({ kind: 'session', id, limit: 1 })
  return row
}

/** A session's log; undefined when it cannot be read. */
async function read({ store, clock }: RuntimeParts, id: string): Promise<Journal | undefined> {
  try {
    const journal = new Journal(store, id, clock)
    await journal.refresh()
    return journal
  } catch (error) {
    if (isToolpostError(error) && ['STORE_CORRUPT', 'ILLEGAL_EVENT'].includes(error.code)) return undefined
    throw error
  }
}
