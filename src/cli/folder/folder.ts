import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ToolpostError } from '../../core/error.ts'

/** A folder that tools are confined to: its real path, without links. */
export interface Folder {
  readonly root: string
}

/** Opens a folder by its path, absolute or from the working directory. Errors: INVALID_ARGUMENT. */
export function openFolder(path: string): Folder {
  const absolute = resolve(path)
  const stat = statSync(absolute, { throwIfNoEntry: false })
  if (stat === undefined)
    throw new ToolpostError('INVALID_ARGUMENT', `There is no folder "${absolute}"; --dir names one.`)
  if (!stat.isDirectory())
    throw new ToolpostError('INVALID_ARGUMENT', `"${absolute}" is a file; --dir names a folder.`)
  return { root: realpathSync(absolute) }
}
