import { stat } from 'node:fs/promises'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { confinedPath } from '../folder/confined-path.ts'
import { fileChunks, looksBinary } from '../folder/file-chunks.ts'
import type { Folder } from '../folder/folder.ts'
import { openFile } from '../folder/open-file.ts'
import { readLines, type Stretch } from '../folder/read-lines.ts'
import { relativePath } from '../folder/relative-path.ts'
import { isSecretPath } from '../folder/secret-name.ts'
import { fitting } from './fitting.ts'

const linesDefault = 200
const lineBytesMax = 4_000
/** A model pages through a file by lines; what lies beyond this is not text to be read. */
const bytesMax = 67_108_864

/** Reads lines of a text file. */
export function readFile(folder: Folder): Tool {
  return tool({
    name: 'read_file',
    title: 'Read a file',
    description:
      'Read a text file of the folder, 200 lines from its beginning unless you say otherwise. ' +
      'The first line of the result says which lines follow and how many there are.',
    toolClass: 'read',
    parallel: true,
    timeout: 60_000,
    // What is said about one secret says nothing about the next.
    remember: 'none',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the folder.' },
        fromLine: { type: 'integer', minimum: 1, description: 'The first line to read, from 1; default 1.' },
        lines: { type: 'integer', minimum: 1, maximum: 1_000, description: 'How many lines; default 200.' },
      },
      required: ['path'],
      additionalProperties: false,
    } as const,
    prepare: (args) => ({ ...args, path: relativePath(args.path) }),
    check: ({ path }) => askBeforeSecrets(folder, path),
    execute: ({ path, fromLine = 1, lines = linesDefault }, { signal }) =>
      read(folder, path, fromLine, lines, signal),
  })
}

async function askBeforeSecrets(folder: Folder, path: string) {
  // A file that is not there fails by itself, with a better sentence than a check can give.
  const found = await confinedPath(folder, path).catch(() => undefined)
  if (![path, found?.realPath ?? path].some(isSecretPath)) return undefined
  return {
    verdict: 'ask' as const,
    reason: `${JSON.stringify(path)} may hold secrets, and the model would read them.`,
  }
}

async function read(
  folder: Folder,
  given: string,
  from: number,
  count: number,
  signal: AbortSignal,
): Promise<string> {
  const { path, absolute } = await confinedPath(folder, given)
  if ((await stat(absolute)).isDirectory()) {
    throw new Error(
      `${JSON.stringify(path)} is a folder; list_files with {"path": ${JSON.stringify(path)}} shows its files.`,
    )
  }
  const { handle, bytes } = await openFile(absolute).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${JSON.stringify(path)} cannot be read: ${error.code ?? error.message}`)
  })
  try {
    for await (const beginning of fileChunks(handle, signal, 8_192)) {
      if (looksBinary(beginning))
        throw new Error(`${JSON.stringify(path)} is a binary file of ${bytes} bytes; it has no text to read.`)
    }
    return shown(path, from, bytes, await readLines(handle, { from, count, lineBytesMax, bytesMax }, signal))
  } finally {
    await handle.close()
  }
}

function shown(path: string, from: number, bytes: number, stretch: Stretch): string {
  const { total, cut } = stretch
  if (bytes === 0) return `${path}: the file is empty.`
  const of = total === undefined ? `a file of ${bytes} bytes` : `${total}`
  if (stretch.lines.length === 0)
    return `${path}: there is no line ${from}; the file has ${of}${total === undefined ? '' : ' lines'}.`
  const lines = fitting(stretch.lines, (line) => `${line}\n`)
  const last = from + lines.length - 1
  const more = total === undefined || last < total ? `; go on with fromLine ${last + 1}` : ''
  const long = cut ? '; long lines were cut' : ''
  return `${path}, lines ${from}-${last} of ${of}${more}${long}:\n${lines.join('\n')}`
}
