import { isToolpostError } from '../../core/error.ts'
import { HostError, isHostError } from '../../protocol/host-error.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'

/** Whether somebody has started the same run in the meantime, or is about to remove the one that the key stood for. */
export function isTaken(error: unknown, { session }: Pick<RunRequest, 'session'>): boolean {
  if (wasRemoved(error)) return session === undefined
  return (
    isToolpostError(error) &&
    ['SESSION_EXISTS', 'SESSION_BUSY', 'LEASE_LOST', 'RUN_OPEN', 'ILLEGAL_EVENT'].includes(error.code)
  )
}

/** What is read of a run; undefined when its log was removed while it was read. */
export async function unlessRemoved<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (wasRemoved(error)) return undefined
    throw error
  }
}

function wasRemoved(error: unknown): boolean {
  if (isHostError(error)) return error.code === 'RUN_NOT_FOUND'
  return isToolpostError(error) && error.code === 'SESSION_NOT_FOUND'
}

/** The codes of the runtime that a caller of the host can do something about. */
const codes: Readonly<Record<string, string>> = {
  SESSION_BUSY: 'SESSION_BUSY',
  RUN_OPEN: 'SESSION_BUSY',
  SESSION_NOT_FOUND: 'SESSION_NOT_FOUND',
  SESSION_EXISTS: 'INVALID_SESSION',
  INVALID_SCHEMA: 'INVALID_SCHEMA',
  STORE_CORRUPT: 'OPERATION_STORE_ERROR',
}

/** What a run that could not begin is refused with: nothing of the inside leaves the host. */
export function asRefusal(error: unknown): unknown {
  if (isHostError(error)) return error
  if (isFull(error)) return new HostError('OPERATION_STORE_FULL', undefined, { cause: error })
  if (!isToolpostError(error)) return error
  const code = Object.hasOwn(codes, error.code) ? codes[error.code] : undefined
  return code === undefined ? error : new HostError(code, error.message, { cause: error })
}

/** What SQLite, and the file system, say of a disk that is full. */
function isFull(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { readonly errcode?: unknown; readonly code?: unknown }
  return errcode === 13 || code === 'ENOSPC'
}
