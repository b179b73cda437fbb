import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { FileReference } from '../core/file.ts'

/** The bytes of a conversation's files, by digest. */
export type SentFiles = ReadonlyMap<string, Uint8Array>

const decoder = new TextDecoder()

/**
 * A file of the user's as the provider interface takes it. Text is sent as text, which every model reads; a file
 * whose bytes are gone is replaced by a line that says so.
 */
export function sentFile(
  file: FileReference,
  files: SentFiles | undefined,
): LanguageModelV4FilePart | LanguageModelV4TextPart {
  const { mediaType, name } = file
  const data = fileBytes(file, files)
  const called = name === undefined ? 'The file' : `The file ${JSON.stringify(name)}`
  if (data === undefined)
    return { type: 'text', text: `[${called} (${mediaType}, ${file.bytes} bytes) is no longer kept.]` }
  if (isText(mediaType)) return { type: 'text', text: `${called} (${mediaType}):\n\n${decoder.decode(data)}` }
  return {
    type: 'file',
    mediaType,
    data: { type: 'data', data },
    ...(name === undefined ? {} : { filename: name }),
  }
}

export function fileBytes({ digest }: FileReference, files: SentFiles | undefined): Uint8Array | undefined {
  return files?.get(digest)
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json'
}
