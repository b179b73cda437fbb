import { relative } from 'node:path'
import type { Place } from './command-options.ts'

/** Writes a command of this program as it can be typed here. */
export function commandLine(place: Place, ...words: readonly string[]): string {
  const isBuilt = import.meta.url.endsWith('.js')
  const folder = relative(process.cwd(), place.folder.root)
  const store = place.isOwnStore || process.env.TOOLPOST_STORE ? [] : ['--store', relative(process.cwd(), place.storeFile)]
  const program = isBuilt ? ['toolpost'] : ['npm', 'run', '-s', 'toolpost', '--']
  return [...program, ...words, ...(folder === '' ? [] : ['--dir', folder]), ...store].map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
