import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isProtectedName } from './protected-name.ts'

/** A regular file below a folder. */
export interface WalkedFile {
  /** Relative to the folder that tools are confined to, with `/`. */
  readonly path: string
  readonly absolute: string
}

/** What a walk saw. */
export interface Walk {
  /** The shallow ones first, then by path. */
  readonly files: readonly WalkedFile[]
  /** Links are not followed: they may lead out, or in a circle. */
  readonly links: number
  /** Folders that could not be read. */
  readonly unreadable: number
  /** False when the walk ended at its bound; then there are more files than these. */
  readonly complete: boolean
}

/** More files than a model can make use of; the bound keeps a walk over a whole disk short. */
export const walkedFilesMax = 20_000

/** Finds the regular files below a folder, level by level; `.git`, `.toolpost` and `node_modules` are passed over. */
export async function walk(
  start: { readonly absolute: string; readonly realPath: string },
  signal: AbortSignal,
  filesMax: number = walkedFilesMax,
): Promise<Walk> {
  const files: WalkedFile[] = []
  let links = 0
  let unreadable = 0
  let level = [{ absolute: start.absolute, path: start.realPath === '.' ? '' : `${start.realPath}/` }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { absolute, path } of level) {
      signal.throwIfAborted()
      const entries = await entriesOf(absolute)
      if (entries === undefined) unreadable += 1
      for (const entry of entries ?? []) {
        const found = { path: path + entry.name, absolute: join(absolute, entry.name) }
        if (entry.isSymbolicLink()) links += 1
        else if (entry.isDirectory() && !isProtectedName(entry.name))
          next.push({ ...found, path: `${found.path}/` })
        else if (entry.isFile() && files.length >= filesMax)
          return { files, links, unreadable, complete: false }
        else if (entry.isFile()) files.push(found)
      }
    }
    level = next
  }
  return { files, links, unreadable, complete: true }
}

async function entriesOf(path: string): Promise<Dirent[] | undefined> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  return entries?.sort((a, b) => (a.name < b.name ? -1 : 1))
}
