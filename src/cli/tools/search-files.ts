import { RE2JS } from 're2js'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { confinedPath } from '../folder/confined-path.ts'
import { fileChunks, looksBinary } from '../folder/file-chunks.ts'
import type { Folder } from '../folder/folder.ts'
import { globMatcher } from '../folder/glob.ts'
import { openFile } from '../folder/open-file.ts'
import { isSecretPath } from '../folder/secret-name.ts'
import { type WalkedFile, walk } from '../folder/walk.ts'
import { atLeast } from './at-least.ts'
import { fitting } from './fitting.ts'

const shownDefault = 50
const lineCharactersMax = 240
/** Larger files are data, not text that somebody wrote. */
const fileBytesMax = 2_097_152
/** Bytes of one search in all, so that it ends while somebody still waits for it. */
const searchedBytesMax = 134_217_728

/** Searches the text of files. */
export function searchFiles(folder: Folder): Tool {
  return tool({
    name: 'search_files',
    title: 'Search in files',
    description:
      'Search the text of the files in the folder, line by line, for a plain text or for an RE2 pattern (give one of the two). ' +
      'Binary files, files above 2 MiB and files that may hold secrets are passed over and counted.',
    toolClass: 'read',
    parallel: true,
    timeout: 120_000,
    schema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, description: 'A text to find exactly as it is.' },
        pattern: { type: 'string', minLength: 1, description: 'An RE2 pattern, such as "TODO|FIXME".' },
        ignoreCase: { type: 'boolean', description: 'Default false.' },
        path: { type: 'string', description: 'A folder or a file below the root; default the root.' },
        glob: { type: 'string', description: 'Only files that match, such as "*.ts".' },
        except: { type: 'string', description: 'Pass over files that match this glob, such as "*.lock".' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'The most lines to show; default 50.',
        },
      },
      additionalProperties: false,
    } as const,
    prepare: ({ text, pattern }) => {
      if ((text === undefined) === (pattern === undefined))
        throw new Error('Give either "text" or "pattern", one of the two.')
    },
    execute: (args, { signal }) => search(folder, args, signal),
  })
}

interface Search {
  readonly text?: string
  readonly pattern?: string
  readonly ignoreCase?: boolean
  readonly path?: string
  readonly glob?: string
  readonly except?: string
  readonly limit?: number
}

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}

async function search(folder: Folder, args: Search, signal: AbortSignal) {
  const { path = '.', glob, except, limit = shownDefault } = args
  const isWanted = glob === undefined ? () => true : globMatcher(glob)
  const isLeftOut = except === undefined ? () => false : globMatcher(except)
  const isMatch = lineMatcher(args)
  const { files, unreadable, complete } = await walk(await confinedPath(folder, path), signal)
  const candidates = files.filter((file) => isWanted(file.path) && !isLeftOut(file.path))
  const { found, isBounded } = await searchAll(candidates, isMatch, limit, signal)
  const shown = fitting(found.shown, (match) => JSON.stringify(match))
  return {
    ...atLeast({ matchingLines: found.lines, matchingFiles: found.files }, complete && !isBounded),
    searchedFiles: found.searched,
    shown: shown.length,
    matches: shown,
    ...counted(found.passedOver),
    ...(unreadable === 0 ? {} : atLeast({ unreadableFolders: unreadable }, complete)),
    ...(complete && !isBounded
      ? {}
      : { note: 'The search ended at its bound before all files were read; narrow it by path or glob.' }),
  }
}

interface Found {
  lines: number
  files: number
  searched: number
  readonly shown: Match[]
  readonly passedOver: { binary: number; large: number; secret: number; unreadable: number }
}

async function searchAll(
  files: readonly WalkedFile[],
  isMatch: (line: string) => boolean,
  limit: number,
  signal: AbortSignal,
) {
  const passedOver = { binary: 0, large: 0, secret: 0, unreadable: 0 }
  const found: Found = { lines: 0, files: 0, searched: 0, shown: [], passedOver }
  let room = searchedBytesMax
  for (const file of files) {
    if (room <= 0) return { found, isBounded: true }
    const text = await textOf(file, signal)
    if ('passedOver' in text) {
      passedOver[text.passedOver] += 1
      continue
    }
    room -= text.bytes
    found.searched += 1
    const matches = text.lines.flatMap((line, index) => (isMatch(line) ? [{ line, number: index + 1 }] : []))
    found.lines += matches.length
    found.files += matches.length > 0 ? 1 : 0
    for (const { line, number } of matches.slice(0, limit - found.shown.length)) {
      found.shown.push({ path: file.path, line: number, text: clipped(line) })
    }
  }
  return { found, isBounded: false }
}

function counted(passedOver: Found['passedOver']) {
  const some = Object.entries(passedOver).filter(([, count]) => count > 0)
  return some.length === 0 ? {} : { filesPassedOver: Object.fromEntries(some) }
}

function lineMatcher({ text, pattern, ignoreCase = false }: Search): (line: string) => boolean {
  if (pattern !== undefined) {
    const compiled = compile(pattern, ignoreCase)
    return (line) => compiled.matcher(line).find()
  }
  const wanted = ignoreCase ? (text as string).toLowerCase() : (text as string)
  return ignoreCase ? (line) => line.toLowerCase().includes(wanted) : (line) => line.includes(wanted)
}

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The pattern ${JSON.stringify(pattern)} is no RE2 pattern (${why}); search for a plain "text" instead.`,
    )
  }
}

type Text =
  | { lines: readonly string[]; bytes: number }
  | { passedOver: 'binary' | 'large' | 'secret' | 'unreadable' }

async function textOf(file: WalkedFile, signal: AbortSignal): Promise<Text> {
  if (isSecretPath(file.path)) return { passedOver: 'secret' }
  const opened = await openFile(file.absolute).catch(() => undefined)
  if (opened === undefined) return { passedOver: 'unreadable' }
  const { handle, bytes } = opened
  try {
    if (bytes > fileBytesMax) return { passedOver: 'large' }
    const chunks: Buffer[] = []
    for await (const chunk of fileChunks(handle, signal, fileBytesMax)) {
      if (chunks.length === 0 && looksBinary(chunk)) return { passedOver: 'binary' }
      chunks.push(Buffer.from(chunk))
    }
    return { lines: Buffer.concat(chunks).toString('utf8').split(/\r?\n/), bytes }
  } catch {
    signal.throwIfAborted()
    return { passedOver: 'unreadable' }
  } finally {
    await handle.close()
  }
}

function clipped(line: string): string {
  const text = line.trim()
  return text.length > lineCharactersMax ? `${text.slice(0, lineCharactersMax).toWellFormed()}…` : text
}
