import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { filled } from './filled.ts'
import { type Folder, openFolder } from './folder/folder.ts'
import { UsageError } from './usage-error.ts'

/** What every command takes. */
export interface CommandOptions {
  readonly json?: boolean
  readonly dir?: string
  readonly store?: string
}

/** Where a command works: the folder, and the file that everything is recorded in. */
export interface Place {
  readonly folder: Folder
  readonly storeFile: string
  /** Whether the store is the folder's own: then every run in it belongs to the folder. */
  readonly isOwnStore: boolean
}

/** Declares the options that every command takes. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--dir <path>', 'the folder to work on (default: the current one)', filled('--dir'))
    .option(
      '--store <file>',
      'where everything is recorded (default: TOOLPOST_STORE, or .toolpost/toolpost.db in the folder)',
      filled('--store'),
    )
    .option('--json', 'answer in JSON; errors too, as {"error": {"code", "message"}} on standard output')
}

/** Errors: INVALID_ARGUMENT when the folder is none. Throws a UsageError for a store that no later command could find. */
export function placeOf(options: CommandOptions): Place {
  const folder = openFolder(options.dir ?? '.')
  const own = join(folder.root, '.toolpost', 'toolpost.db')
  const named = options.store ?? (process.env.TOOLPOST_STORE || undefined)
  if (named !== undefined && /^(:memory:|file:)/.test(named)) {
    throw new UsageError(
      `--store and TOOLPOST_STORE name a file, not "${named}": the record of a command must outlive it.`,
    )
  }
  const storeFile = named === undefined ? own : resolve(named)
  return { folder, storeFile, isOwnStore: storeFile === own }
}
