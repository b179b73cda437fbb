import { CommanderError } from 'commander'
import { isToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import { resultCodeOf } from '../stores/sqlite/sqlite-fault.ts'
import { inertLine } from './terminal/inert-text.ts'
import { writeJson } from './terminal/json-lines.ts'
import { UsageError } from './usage-error.ts'

/** Tells what went wrong, in one sentence with its code, and gives the exit code: 2 for a wrong command line, else 1. */
export function reportFailure(error: unknown, isJson: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  // Without a command the help was shown, and says it all.
  if (error instanceof CommanderError && error.code === 'commander.help') return 2
  const code = codeOf(error)
  const message = sentenceOf(error).replace(/^error: /, '')
  if (isJson) writeJson({ error: { code, message, ...detailsOf(error) } })
  else process.stderr.write(`error: ${inertLine(message)} [${code}]\n`)
  if (process.env.TOOLPOST_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return code === 'USAGE' ? 2 : 1
}

/** What failed outside of this program, with what a person can do about it; else the error's own message. */
function sentenceOf(error: unknown): string {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (syscall === 'uv_cwd') return 'The working directory no longer exists; change into a folder that does.'
  const stored = recordFault[String(resultCodeOf(error))]
  if (stored !== undefined) return `The record cannot be written: ${stored}`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${messageOf(error)}; make room on the disk, then try again.`
  return messageOf(error)
}

const goOn = 'What was recorded before is whole; `resume` goes on from it.'

/** By result code of SQLite (sqlite.org/rescode.html). */
const recordFault: Readonly<Record<string, string>> = {
  '8': `the disk or the file is read-only; see who may write to it, or name another file with --store. ${goOn}`,
  '10': `the disk failed (disk I/O error); see whether it is full or damaged, or name a file on another with --store. ${goOn}`,
  '13': `the disk is full; make room on it, or name a file on another with --store. ${goOn}`,
}

/** What a program can act on: who answered and when, what was wrong with a value, until when somebody drives. */
function detailsOf(error: unknown): { readonly details?: Readonly<Record<string, unknown>> } {
  if (!isToolpostError(error) || Object.keys(error.details).length === 0) return {}
  return { details: error.details }
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError || error instanceof UsageError) return 'USAGE'
  if (isToolpostError(error)) return error.code
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'INTERNAL'
}
