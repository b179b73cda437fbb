import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Opens a regular file for reading. The path was looked up before: a link that took its place since is not
 * followed. Throws the system's error, or a sentence when it is no regular file.
 */
export async function openFile(absolute: string): Promise<{ handle: FileHandle; bytes: number }> {
  // Without O_NONBLOCK a named pipe that took the file's place would hold the call for ever.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(absolute, flags)
  const stat = await handle.stat()
  if (stat.isFile()) return { handle, bytes: stat.size }
  await handle.close()
  throw new Error('It is no regular file.')
}
