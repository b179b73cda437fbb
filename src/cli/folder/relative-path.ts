import { isAbsolute, posix, win32 } from 'node:path'

/**
 * A path within the folder as it is written from now on: with `/`, without `.` and `..`, the folder itself as `.`.
 * Pure: it looks at the text alone. Throws a sentence for the model when the path is absolute or leads out.
 */
export function relativePath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 200))
  if (path.includes('\0')) throw new Error(`The path ${shown} holds a zero character; leave it out.`)
  if (isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)) {
    throw new Error(`The path ${shown} is absolute; give it relative to the folder, such as "src/index.ts".`)
  }
  const normal = posix.normalize(path.trim() === '' ? '.' : path).replace(/\/+$/, '')
  if (normal === '..' || normal.startsWith('../')) {
    throw new Error(`The path ${shown} leads out of the folder; only what is inside can be used.`)
  }
  return normal === '' ? '.' : normal
}
