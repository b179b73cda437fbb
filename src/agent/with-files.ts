import { ToolpostError } from '../core/error.ts'
import type { InputPart } from '../core/input-part.ts'
import { checkNothingMore } from '../core/known-keys.ts'
import { limits } from '../core/limits.ts'
import { markFiles, type ResultWithFiles } from '../core/tool/result-with-files.ts'
import type { NewFile } from './kept-files.ts'
import { readFile, readPart } from './read-input.ts'

/**
 * What a tool returns when it gives images or files beside its result: the model is shown them, where its provider
 * has room for files in a result. They are checked and made such as an input's are. `finalize` and hooks see the
 * result alone. Errors: INVALID_ARGUMENT.
 */
export async function withFiles(
  result: unknown,
  files: readonly Exclude<InputPart, { type: 'text' }>[],
  ...more: readonly never[]
): Promise<ResultWithFiles> {
  checkNothingMore(more, 'withFiles()', 'a result and its files')
  if (!Array.isArray(files) || files.length > limits.filesMax)
    refuse(`withFiles() takes a list of at most ${limits.filesMax} images and files.`)
  const read: NewFile[] = []
  for (const [index, given] of files.entries()) {
    const part = readPart(given, `files[${index}]`)
    if (part.type === 'text') refuse(`files[${index}] is a text; what is text belongs into the result.`)
    read.push(await readFile(part, `files[${index}]`))
  }
  return markFiles(result, read)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
