import { ToolpostError } from './error.ts'
import { limits } from './limits.ts'

/** Reads a note or a reason that a caller handed in: a text, cut where a message is. Errors: INVALID_ARGUMENT. */
export function readNote(key: string, given: unknown): string {
  if (typeof given !== 'string') throw new ToolpostError('INVALID_ARGUMENT', `"${key}" must be a text.`)
  return given.slice(0, limits.messageCharactersMax).toWellFormed()
}
