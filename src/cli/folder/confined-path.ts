import { realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Folder } from './folder.ts'
import { relativePath } from './relative-path.ts'

/** A path that was looked up on the disk and lies in the folder. */
export interface ConfinedPath {
  /** As it was asked for, normalised. */
  readonly path: string
  /** Where it really is, relative to the folder, with `/`; links are followed. */
  readonly realPath: string
  readonly absolute: string
}

/**
 * Looks a path up, links followed. Throws a sentence for the model when it leads out of the folder, by `..`,
 * by being absolute or by a link, and when there is nothing.
 */
export async function confinedPath(folder: Folder, given: string): Promise<ConfinedPath> {
  const path = relativePath(given)
  const absolute = await realpath(resolve(folder.root, path)).catch((error) => {
    throw new Error(absence(path, error))
  })
  return { path, realPath: within(folder, path, absolute), absolute }
}

/**
 * The same for a file that may not exist yet: the nearest folder above it that exists decides. Nothing is made.
 */
export async function confinedTarget(folder: Folder, given: string): Promise<ConfinedPath> {
  const path = relativePath(given)
  const missing: string[] = []
  for (let at = resolve(folder.root, path); ; at = dirname(at)) {
    const real = await realpath(at).catch((error) => {
      if (error.code === 'ENOENT') return undefined
      throw new Error(absence(path, error))
    })
    if (real !== undefined) {
      const absolute = join(real, ...missing)
      return { path, realPath: within(folder, path, absolute), absolute }
    }
    missing.unshift(at.slice(dirname(at).length).replace(/^[/\\]/, ''))
  }
}

function within(folder: Folder, path: string, absolute: string): string {
  const inside = relative(folder.root, absolute)
  if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(folder.root, inside) !== absolute) {
    throw new Error(
      `The path ${JSON.stringify(path)} leads out of the folder by a link; only what is inside can be used.`,
    )
  }
  return inside === '' ? '.' : inside.split(sep).join('/')
}

function absence(path: string, error: NodeJS.ErrnoException): string {
  const shown = JSON.stringify(path)
  if (error.code === 'ENOENT') return `There is no ${shown} in the folder; list_files shows what there is.`
  if (error.code === 'ENOTDIR')
    return `A part of the path ${shown} is a file, not a folder; list_files shows what there is.`
  if (error.code === 'ELOOP') return `The path ${shown} is a link that leads in a circle.`
  return `The path ${shown} cannot be reached: ${error.code ?? error.message}.`
}
