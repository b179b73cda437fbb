import { CommanderError } from 'commander'
import { isToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import { inertLine } from './terminal/inert-text.ts'
import { writeJson } from './terminal/json-lines.ts'
import { UsageError } from './usage-error.ts'

/** Tells what went wrong, in one sentence with its code, and gives the exit code: 2 for a wrong command line, else 1. */
export function reportFailure(error: unknown, isJson: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  // Without a command the help was shown, and says it all.
  if (error instanceof CommanderError && error.code === 'commander.help') return 2
  const code = codeOf(error)
  const message = messageOf(error).replace(/^error: /, '')
  if (isJson) writeJson({ error: { code, message } })
  else process.stderr.write(`error: ${inertLine(message)} [${code}]\n`)
  if (process.env.TOOLPOST_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return code === 'USAGE' ? 2 : 1
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError || error instanceof UsageError) return 'USAGE'
  if (isToolpostError(error)) return error.code
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'INTERNAL'
}
