import type { FileReference } from '../core/file.ts'
import { limits } from '../core/limits.ts'
import type { ResultFile } from '../core/tool/result-with-files.ts'
import type { Task } from './task.ts'

/** Puts the files of a tool's result into the session's store; none beyond the bounds, whoever made them. */
export async function keepResultFiles(
  { parts, journal }: Pick<Task, 'parts' | 'journal'>,
  files: readonly ResultFile[],
): Promise<{ readonly files?: readonly FileReference[] }> {
  const inBounds = files.filter(({ bytes }) => bytes.length <= limits.fileBytesMax).slice(0, limits.filesMax)
  if (inBounds.length === 0) return {}
  const kept = inBounds.map(async ({ bytes, ...rest }): Promise<FileReference> => {
    const digest = await parts.store.putBlob(journal.stream, bytes)
    return { digest, ...rest, bytes: bytes.length }
  })
  return { files: await Promise.all(kept) }
}
