import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'

/** What a module of the user exports; its path is relative to where the command was typed. Errors: INVALID_ARGUMENT. */
export async function loadModule(module: string): Promise<object> {
  try {
    return (await import(pathToFileURL(resolve(module)).href)) as object
  } catch (error) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The module "${module}" cannot be loaded: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
