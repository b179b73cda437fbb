import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing, one by one: where the system calls a new folder "not found",
 * as in /proc, a recursive mkdir tries for ever. Throws the system's error.
 */
export async function makeFolders(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined)) !== undefined) return
  if (dirname(path) !== path) await makeFolders(dirname(path))
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
