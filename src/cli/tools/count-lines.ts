import { posix } from 'node:path'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { confinedPath } from '../folder/confined-path.ts'
import { countFile, type FileCount } from '../folder/count-file.ts'
import type { Folder } from '../folder/folder.ts'
import { type Walk, type WalkedFile, walk } from '../folder/walk.ts'
import { atLeast } from './at-least.ts'

const rowsMax = 20
const largestMax = 10
/** Files that are read at the same time. */
const atOnce = 16

/** Counts files, lines and bytes by type and by folder. */
export function countLines(folder: Folder): Tool {
  return tool({
    name: 'count_lines',
    title: 'Count lines',
    description:
      'Count files, lines and bytes below a folder: in all, by file type, by the first folder level, and the largest text files. ' +
      'Binary files and files above 16 MiB count with their bytes and without lines.',
    toolClass: 'read',
    parallel: true,
    timeout: 120_000,
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A folder or a file below the root; default the root.' },
      },
      additionalProperties: false,
    } as const,
    execute: async ({ path = '.' }, { signal, progress }) => {
      const start = await confinedPath(folder, path)
      const walked = await walk(start, signal)
      const counts = await countAll(walked.files, signal, (fraction) =>
        progress({ fraction, message: 'counting lines' }),
      )
      return summary(start, counts, walked)
    },
  })
}

async function countAll(
  files: readonly WalkedFile[],
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
) {
  const counts: FileCount[] = []
  for (let at = 0; at < files.length; at += atOnce) {
    counts.push(...(await Promise.all(files.slice(at, at + atOnce).map((file) => countFile(file, signal)))))
    if (at > 0 && at % 2_000 === 0) onProgress(at / files.length)
  }
  return counts
}

interface Sum {
  files: number
  lines: number
  bytes: number
}

interface Start {
  readonly path: string
  readonly realPath: string
}

function summary(start: Start, counts: readonly FileCount[], { links, unreadable, complete }: Walk) {
  const total: Sum = { files: 0, lines: 0, bytes: 0 }
  const byType = new Map<string, Sum>()
  const byFolder = new Map<string, Sum>()
  for (const count of counts) {
    add(total, count)
    add(sumOf(byType, typeOf(count.path)), count)
    add(sumOf(byFolder, folderOf(start.realPath, count.path)), count)
  }
  return {
    path: start.path,
    ...atLeast({ ...total }, complete),
    ...(complete ? {} : { note: boundNote(counts.length) }),
    byType: rows('type', byType),
    byFolder: rows('folder', byFolder),
    largest: largest(counts),
    filesWithoutLines: withoutLines(counts),
    ...(links === 0 ? {} : atLeast({ linksNotFollowed: links }, complete)),
    ...(unreadable === 0 ? {} : atLeast({ unreadableFolders: unreadable }, complete)),
  }
}

function boundNote(counted: number): string {
  const first = counted.toLocaleString('en')
  return `Only the first ${first} files were counted, and there are more: no number, row or order here speaks for the whole. Name a folder below to count it.`
}

function add(sum: Sum, count: FileCount): void {
  sum.files += 1
  sum.lines += count.kind === 'text' ? count.lines : 0
  sum.bytes += count.kind === 'unreadable' ? 0 : count.bytes
}

function withoutLines(counts: readonly FileCount[]) {
  const without = { binary: 0, large: 0, unreadable: 0 }
  for (const { kind } of counts) if (kind !== 'text') without[kind] += 1
  return without
}

function sumOf(sums: Map<string, Sum>, key: string): Sum {
  const sum = sums.get(key) ?? { files: 0, lines: 0, bytes: 0 }
  sums.set(key, sum)
  return sum
}

function typeOf(path: string): string {
  return posix.extname(path).toLowerCase().slice(0, 40) || '(no extension)'
}

function folderOf(start: string, path: string): string {
  const inside = start === '.' ? path : path.slice(start.length + 1)
  const end = inside.indexOf('/')
  return end < 0 ? '(top level)' : `${inside.slice(0, end)}/`
}

/** The rows with the most lines; the others are one row, so that the numbers add up. */
function rows(name: 'type' | 'folder', sums: ReadonlyMap<string, Sum>) {
  const ordered = [...sums].sort(
    ([a, x], [b, y]) => y.lines - x.lines || y.files - x.files || (a < b ? -1 : 1),
  )
  const shown = ordered.slice(0, rowsMax)
  const rest = ordered.slice(rowsMax)
  if (rest.length > 0) {
    const others = { files: 0, lines: 0, bytes: 0 }
    for (const [, sum] of rest) {
      others.files += sum.files
      others.lines += sum.lines
      others.bytes += sum.bytes
    }
    shown.push([`(${rest.length} others)`, others])
  }
  return shown.map(([key, sum]) => ({ [name]: key, ...sum }))
}

function largest(counts: readonly FileCount[]) {
  return counts
    .filter((count) => count.kind === 'text')
    .sort((a, b) => b.lines - a.lines || b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
    .slice(0, largestMax)
    .map(({ path, lines, bytes }) => ({ path: path.slice(0, 400), lines, bytes }))
}
