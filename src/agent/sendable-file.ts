import type { FileReference } from '../core/file.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import { mediaTypeOf } from '../models/images/media-type-of.ts'
import { prepareImage } from '../models/images/prepare-image.ts'

const imageTypes = /^image\/(png|jpeg|webp|gif)$/
const textTypes = /^(application\/json|text\/[\w.+-]+)$/

/** A type without parameters, in the one spelling that the log has. */
export function essenceOf(mediaType: string): string {
  const [essence = ''] = mediaType.split(';')
  return essence.trim().toLowerCase()
}

/**
 * Why no model can be shown a file that is no image: it would stand in the conversation for good, and fail every request.
 * The rest of a sentence about it; undefined when nothing is wrong.
 */
export function documentFault(bytes: Uint8Array, mediaType: string): string | undefined {
  if (mediaType === 'application/pdf')
    return mediaTypeOf(bytes) === mediaType ? undefined : 'is no PDF: its first bytes say otherwise.'
  if (!textTypes.test(mediaType))
    return `is of the type ${JSON.stringify(mediaType.slice(0, 200))}; images, PDF, JSON and text can be sent.`
  if (bytes.length > limits.textFileBytesMax)
    return `is a text of ${bytes.length} bytes; one that a model is to read has at most ${limits.textFileBytesMax}.`
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return undefined
  } catch {
    return 'is no text in UTF-8.'
  }
}

/** What a file that a model made is, by its bytes, and why it cannot be sent again, if it cannot. */
export async function madeFileType(
  bytes: Uint8Array,
  claimed: string,
): Promise<{ readonly mediaType: string; readonly fault?: string }> {
  const mediaType = mediaTypeOf(bytes) ?? essenceOf(claimed).slice(0, 200)
  const fault = imageTypes.test(mediaType) ? await imageFault(bytes) : documentFault(bytes, mediaType)
  if (fault === undefined) return { mediaType }
  // What is not what it is said to be is only bytes; a type that is never sent can stand as it is.
  const isSaidOnly = isSendable({ mediaType, bytes: bytes.length })
  return { mediaType: isSaidOnly ? 'application/octet-stream' : mediaType, fault }
}

async function imageFault(bytes: Uint8Array): Promise<string | undefined> {
  try {
    await prepareImage(bytes, 'original')
    return undefined
  } catch (error) {
    return `cannot be sent as an image: ${messageOf(error, 500)}`
  }
}

/** Whether a file of the log, which was looked at when it was kept, is of a type and a size that models are sent. */
export function isSendable({ mediaType, bytes }: Pick<FileReference, 'mediaType' | 'bytes'>): boolean {
  if (textTypes.test(mediaType)) return bytes <= limits.textFileBytesMax
  return imageTypes.test(mediaType) || mediaType === 'application/pdf'
}
