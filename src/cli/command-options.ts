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

/** What a command takes that works on the agents of a module too. */
export interface AgentOptions extends CommandOptions {
  /** The module's path. */
  readonly agent?: string
}

/** Where a command works: the folder, and the file that everything is recorded in. */
export interface Place {
  readonly folder: Folder
  readonly storeFile: string
  /** Whether the store is the folder's own: then every run in it belongs to the folder. */
  readonly isOwnStore: boolean
  /** The module whose agents are worked on, in place of the folder's; without a named file, its store is theirs. */
  readonly module?: string
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
    .option(
      '--json',
      'answer in JSON; errors too, as {"error": {"code", "message", "details"}} on standard output',
    )
}

/** Declares the option that names a module with agents in place of the folder's. */
export function withAgentOption(command: Command): Command {
  return command.option(
    '--agent <module>',
    "a module that exports an agent, to work on it and its store instead of the folder's",
    filled('--agent'),
  )
}

/** Errors: INVALID_ARGUMENT when the folder is none. Throws a UsageError for a store that no later command could find. */
export function placeOf(options: AgentOptions): Place {
  if (options.agent !== undefined) return placeOfModule(options.agent, options)
  const folder = openFolder(options.dir ?? '.')
  const own = join(folder.root, '.toolpost', 'toolpost.db')
  const named = options.store ?? (process.env.TOOLPOST_STORE || undefined)
  requireFile(named)
  const storeFile = named === undefined ? own : resolve(named)
  return { folder, storeFile, isOwnStore: storeFile === own }
}

/** TOOLPOST_STORE is about the folder's agent: one of a module has a store already. */
function placeOfModule(module: string, { dir, store }: CommandOptions): Place {
  if (dir !== undefined)
    throw new UsageError(
      '--dir and --agent exclude each other: an agent of a module works where its tools do.',
    )
  requireFile(store)
  const storeFile = store === undefined ? '' : resolve(store)
  return { folder: openFolder('.'), storeFile, isOwnStore: store === undefined, module }
}

function requireFile(store: string | undefined): void {
  if (store === undefined || !/^(:memory:|file:)/.test(store)) return
  throw new UsageError(
    `--store and TOOLPOST_STORE name a file, not "${store}": the record of a command must outlive it.`,
  )
}
