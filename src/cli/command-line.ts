import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place } from './command-options.ts'

/** Writes a command of this program as it can be typed here. */
export function commandLine(place: Place, ...words: readonly string[]): string {
  const folder = place.folder.root === process.cwd() ? [] : ['--dir', shortPath(place.folder.root)]
  const store = place.isOwnStore || process.env.TOOLPOST_STORE ? [] : ['--store', shortPath(place.storeFile)]
  return [...program(), ...words, ...folder, ...store].map(quoted).join(' ')
}

/** How this process was started: by npm in the repository, from its sources, or as the installed program. */
function program(): readonly string[] {
  if (import.meta.url.endsWith('.js')) return ['toolpost']
  if (process.env.npm_lifecycle_event !== undefined) return ['npm', 'run', '-s', 'toolpost', '--']
  return ['node', shortPath(fileURLToPath(new URL('main.ts', import.meta.url)))]
}

/** A path as one would type it here: relative while it leads down. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
