import { stat } from 'node:fs/promises'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { confinedPath } from '../folder/confined-path.ts'
import type { Folder } from '../folder/folder.ts'
import { globMatcher } from '../folder/glob.ts'
import { type WalkedFile, walk } from '../folder/walk.ts'
import { atLeast } from './at-least.ts'
import { fitting } from './fitting.ts'

const shownDefault = 200

/** Lists the files of a folder. */
export function listFiles(folder: Folder): Tool {
  return tool({
    name: 'list_files',
    title: 'List files',
    description:
      'List the files in the folder with their sizes in bytes, shallow ones first. ' +
      '.git, .toolpost and node_modules are left out, links are not followed. ' +
      'A pattern without "/" is matched against the file name, one with "/" against the whole path.',
    toolClass: 'read',
    parallel: true,
    timeout: 60_000,
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A folder below the root; default the root.' },
        pattern: { type: 'string', description: 'A glob, such as "*.md" or "src/**/*.{ts,tsx}".' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 500,
          description: 'The most files to show; default 200.',
        },
      },
      additionalProperties: false,
    } as const,
    execute: ({ path = '.', pattern, limit = shownDefault }, { signal }) =>
      list(folder, path, pattern, limit, signal),
  })
}

async function list(
  folder: Folder,
  path: string,
  pattern: string | undefined,
  limit: number,
  signal: AbortSignal,
) {
  const start = await confinedPath(folder, path)
  if (!(await stat(start.absolute)).isDirectory()) {
    throw new Error(`${JSON.stringify(start.path)} is a file; read_file reads it.`)
  }
  const matches = pattern === undefined ? () => true : globMatcher(pattern)
  const { files, links, unreadable, complete } = await walk(start, signal)
  const matching = files.filter((file) => matches(file.path))
  const shown = await sizesOf(
    fitting(
      matching.slice(0, limit),
      ({ path }) => `${JSON.stringify(path)}, with "path", "bytes" and a size`,
    ),
  )
  return {
    path: start.path,
    ...(pattern === undefined ? {} : { pattern }),
    ...atLeast({ matching: matching.length }, complete),
    shown: shown.length,
    files: shown,
    ...(links === 0 ? {} : atLeast({ linksNotFollowed: links }, complete)),
    ...(unreadable === 0 ? {} : atLeast({ unreadableFolders: unreadable }, complete)),
    ...note(matching.length > shown.length, complete, files.length),
  }
}

async function sizesOf(files: readonly WalkedFile[]) {
  return await Promise.all(
    files.map(async ({ path, absolute }) => {
      const found = await stat(absolute).catch(() => undefined)
      return { path, bytes: found?.size ?? null }
    }),
  )
}

function note(isCut: boolean, complete: boolean, walked: number): { note?: string } {
  if (!complete)
    return {
      note: `Only the first ${walked.toLocaleString('en')} files were looked at; name a folder below to see the rest.`,
    }
  return isCut
    ? { note: 'More files match than are shown; narrow the path or the pattern to see the rest.' }
    : {}
}
