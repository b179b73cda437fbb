import { isToolClass, type ToolClass } from './class.ts'
import { isToolMode, type ToolMode } from './mode.ts'

/** What a mode does with the tools of a class: run them, ask a person first, or not offer them at all. */
export type ModeVerdict = 'run' | 'ask' | 'hidden'

// biome-ignore format: a table is read in columns
const table: Readonly<Record<ToolMode, Readonly<Record<ToolClass, ModeVerdict>>>> = {
  off:       { read: 'hidden', sensitive: 'hidden', write: 'hidden', external: 'hidden', destructive: 'hidden' },
  read_only: { read: 'run',    sensitive: 'ask',    write: 'hidden', external: 'hidden', destructive: 'hidden' },
  ask:       { read: 'run',    sensitive: 'ask',    write: 'ask',    external: 'ask',    destructive: 'ask' },
  auto:      { read: 'run',    sensitive: 'run',    write: 'run',    external: 'ask',    destructive: 'ask' },
}

/**
 * What a mode alone does with a class of tools. A wider mode is never stricter, and a stricter class is
 * never treated more loosely. A mode or a class that is not known is `hidden`.
 */
export function decideTool(mode: unknown, toolClass: unknown): ModeVerdict {
  if (!isToolMode(mode) || !isToolClass(toolClass)) return 'hidden'
  return table[mode][toolClass]
}
