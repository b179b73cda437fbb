import { lstat, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Reconciliation } from '../../core/executor.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { type ConfinedPath, confinedTarget } from '../folder/confined-path.ts'
import type { Folder } from '../folder/folder.ts'
import { makeFolders } from '../folder/make-folders.ts'
import { protectedPart } from '../folder/protected-name.ts'
import { relativePath } from '../folder/relative-path.ts'
import { replaceFile } from '../folder/replace-file.ts'
import { systemReason } from '../system-reason.ts'

const charactersMax = 400_000

/** Writes a report as a Markdown file of the folder. */
export function writeReport(folder: Folder): Tool {
  return tool({
    name: 'write_report',
    title: 'Write a report',
    description:
      'Write a report in Markdown to a file of the folder; an existing file is replaced as a whole. ' +
      '".md" is added to the path when it is missing. A person is asked first and may change what is written.',
    toolClass: 'write',
    timeout: 30_000,
    schema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          maxLength: 400,
          description: 'The file, relative to the folder.',
        },
        markdown: {
          type: 'string',
          minLength: 1,
          maxLength: charactersMax,
          description: 'The whole text of the report.',
        },
      },
      required: ['path', 'markdown'],
      additionalProperties: false,
    } as const,
    prepare: (args) => ({ ...args, path: reportPath(args.path) }),
    check: ({ path }) => checkTarget(folder, path),
    execute: ({ path, markdown }, { signal, idempotencyKey }) =>
      write(folder, path, markdown, signal, idempotencyKey),
    reconcile: ({ path, markdown }) => look(folder, path, markdown),
  })
}

/** The path as it is written: normalised, and with the ending of a Markdown file. */
function reportPath(given: string): string {
  const path = relativePath(given.trim())
  if (path === '.' || /[/\\]$/.test(given.trim()))
    throw new Error('The path names a folder; name a file, such as "report.md".')
  return /\.(md|markdown)$/i.test(path) ? path : `${path}.md`
}

/** Refuses what can never be written, before anybody is asked, and tells who is asked what would be replaced. */
async function checkTarget(folder: Folder, path: string) {
  const target = await writableTarget(folder, path)
  const existing = await lstat(target.absolute).catch(() => undefined)
  if (existing === undefined) return undefined
  return {
    verdict: 'ask' as const,
    reason: `It replaces ${JSON.stringify(path)}, which holds ${existing.size} bytes.`,
  }
}

async function writableTarget(folder: Folder, path: string): Promise<ConfinedPath> {
  const shown = JSON.stringify(path)
  const target = await confinedTarget(folder, path)
  const part = protectedPart(target.path) ?? protectedPart(target.realPath)
  if (part !== undefined)
    throw new Error(`${shown} lies in "${part}", which is never written to; choose another place.`)
  if (target.path !== target.realPath)
    throw new Error(`${shown} is reached by a link; write to "${target.realPath}" itself, or elsewhere.`)
  const existing = await lstat(target.absolute).catch(() => undefined)
  if (existing?.isDirectory()) throw new Error(`${shown} is a folder; name a file in it.`)
  if (existing !== undefined && !existing.isFile())
    throw new Error(`${shown} is no regular file; choose another name.`)
  return target
}

async function write(folder: Folder, path: string, markdown: string, signal: AbortSignal, key: string) {
  const target = await writableTarget(folder, path)
  await written(path, makeFolders(dirname(target.absolute)))
  // Once the folders are there, the place is looked up again: one of them may have become a link.
  const { absolute, realPath } = await writableTarget(folder, path)
  const text = textOf(markdown)
  await written(path, replaceFile(absolute, text, { key, signal }))
  return { path: realPath, bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1 }
}

/** The system's own message would name the temporary file, and where the folder lies on this computer. */
async function written(path: string, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const why = systemReason(error)
    throw why === undefined ? error : new Error(`${JSON.stringify(path)} cannot be written: ${why}.`)
  })
}

/** What the file will hold: the report, ending in a line feed. */
function textOf(markdown: string): string {
  return markdown.endsWith('\n') ? markdown : `${markdown}\n`
}

/** The file is put in its place whole, so it either holds exactly this text or was never written. */
async function look(folder: Folder, path: string, markdown: string): Promise<Reconciliation> {
  try {
    const { absolute, realPath } = await confinedTarget(folder, path)
    const text = textOf(markdown)
    if ((await readFile(absolute, 'utf8')) !== text) return { found: 'not_run' }
    return { found: 'completed', value: { path: realPath, bytes: Buffer.byteLength(text) } }
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isAbsent ? { found: 'not_run' } : { found: 'unknown' }
  }
}
