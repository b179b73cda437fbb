import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place } from './command-options.ts'

/** Writes a command of this program as it can be typed here. */
export function commandLine(place: Place, ...words: readonly string[]): string {
  return [...program(), ...words, ...whose(place)].map(quoted).join(' ')
}

/** The options that name the place again. */
function whose({ module, folder, isOwnStore, storeFile }: Place): readonly string[] {
  const store = isOwnStore ? [] : ['--store', shortPath(storeFile)]
  if (module !== undefined) return ['--agent', module, ...store]
  const dir = folder.root === process.cwd() ? [] : ['--dir', shortPath(folder.root)]
  return [...dir, ...(process.env.TOOLPOST_STORE ? [] : store)]
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
