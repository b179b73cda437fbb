import { ToolpostError } from '../../core/error.ts'

/** Primary result codes of SQLite that mean something of their own here (sqlite.org/rescode.html). */
export const resultCode = {
  permission: 3,
  busy: 5,
  readOnly: 8,
  corrupt: 11,
  cannotOpen: 14,
  notADatabase: 26,
} as const

/** The primary result code of an error that `node:sqlite` threw; undefined for every other value. */
export function resultCodeOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('errcode' in thrown)) return undefined
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : undefined
}

export function isBusy(thrown: unknown): boolean {
  return resultCodeOf(thrown) === resultCode.busy
}

/** What the caller reads when SQLite failed: damage and a lock that stays have codes, the rest passes as it is. */
export function storeFault(thrown: unknown, path: string): unknown {
  switch (resultCodeOf(thrown)) {
    case resultCode.corrupt:
    case resultCode.notADatabase:
      return new ToolpostError(
        'STORE_CORRUPT',
        `"${path}" cannot be read as a SQLite database; restore it from a backup, or name another file.`,
        { cause: thrown, details: { path } },
      )
    case resultCode.busy:
      return new ToolpostError(
        'STORE_CONFLICT',
        `Another process keeps "${path}" locked; see who holds a transaction open on it, then try again.`,
        { cause: thrown, details: { path } },
      )
    default:
      return thrown
  }
}
