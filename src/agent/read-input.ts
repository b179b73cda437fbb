import { ToolpostError } from '../core/error.ts'
import type { InputPart } from '../core/input-part.ts'
import { bytesOfBase64 } from '../core/json/from-base64.ts'
import { named } from '../core/json/named.ts'
import { limits } from '../core/limits.ts'
import type { UserMessage } from '../core/message.ts'
import { prepareImage } from '../models/images/prepare-image.ts'
import type { Task } from '../runtime/task.ts'
import { keepFile, type NewFile } from './kept-files.ts'
import { documentFault, essenceOf } from './sendable-file.ts'

const keysOf: Readonly<Record<InputPart['type'], readonly string[]>> = {
  text: ['type', 'text'],
  image: ['type', 'data', 'mediaType', 'name', 'detail'],
  file: ['type', 'data', 'mediaType', 'name'],
}

/** Reads an input, makes its images such as models take, and keeps the bytes in the session's store. Errors: INVALID_ARGUMENT. */
export async function takeInput(
  keeper: Pick<Task, 'parts' | 'journal'>,
  input: unknown,
): Promise<UserMessage> {
  if (typeof input === 'string') return { role: 'user', text: input }
  if (!Array.isArray(input) || input.length === 0)
    refuse('The input of a run must be a text, or a list of parts: text, image and file.')
  const parts = input.map((part, index) => readPart(part, `input[${index}]`))
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const others = parts.filter((part) => part.type !== 'text')
  if (others.length > limits.filesMax)
    refuse(`An input has at most ${limits.filesMax} files, not ${others.length}.`)
  // All are read before any is kept, and one after the other: an image unfolds to many times its bytes.
  const read: NewFile[] = []
  for (const part of others) read.push(await readFile(part, `input[${parts.indexOf(part)}]`))
  if (read.length === 0) return { role: 'user', text }
  return { role: 'user', text, files: await Promise.all(read.map((file) => keepFile(keeper, file))) }
}

type FileInput = Exclude<InputPart, { type: 'text' }>

/** Reads one part by itself. Errors: INVALID_ARGUMENT, with the place. */
export function readPart(given: unknown, place: string): InputPart {
  const part = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const { type } = part
  if (type !== 'text' && type !== 'image' && type !== 'file')
    refuse(`${place} needs a "type": "text", "image" or "file".`)
  const unknown = Object.keys(part).find((key) => !keysOf[type].includes(key))
  if (unknown !== undefined)
    refuse(`${place} has an unknown key ${named(unknown)}; it takes ${keysOf[type].join(', ')}.`)
  if (type === 'text' && typeof part.text !== 'string') refuse(`${place} needs a "text".`)
  if (type === 'file' && typeof part.mediaType !== 'string') refuse(`${place} needs a "mediaType".`)
  const { name, detail = 'high' } = part
  if (name !== undefined && !isName(name))
    refuse(`${place} has a "name" that is no text of 1 to 255 characters.`)
  if (detail !== 'high' && detail !== 'original')
    refuse(`${place} has a "detail" that is neither "high" nor "original".`)
  return part as unknown as InputPart
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[^\p{Cc}]{1,255}$/u.test(name) && name.isWellFormed()
}

/** The file of a part, such as it can be kept and sent. Errors: INVALID_ARGUMENT. */
export async function readFile(part: FileInput, place: string): Promise<NewFile> {
  const bytes = bytesOf(part.data, place)
  const named = part.name === undefined ? {} : { name: part.name }
  const mediaType = essenceOf(part.mediaType ?? 'image/*')
  if (part.type === 'image' || mediaType.startsWith('image/')) {
    const detail = part.type === 'image' ? part.detail : undefined
    return { ...(await prepareImage(bytes, detail)), ...named }
  }
  const fault = documentFault(bytes, mediaType)
  if (fault !== undefined) refuse(`${place} ${fault}`)
  return { bytes, mediaType, ...named }
}

/** A copy, which nobody else can change. */
function bytesOf(data: unknown, place: string): Uint8Array {
  if (data instanceof Uint8Array) {
    refuseLarge(data.length, place)
    return new Uint8Array(data)
  }
  const match = typeof data === 'string' ? /^data:[^,]*;base64,/i.exec(data) : null
  if (match === null)
    refuse(
      `${place} needs its "data" as bytes (a Uint8Array) or as a "data:" address in base64; what stands elsewhere has to be fetched before.`,
    )
  const encoded = (data as string).slice(match[0].length)
  refuseLarge(Math.floor((encoded.length * 3) / 4), place)
  const bytes = bytesOfBase64(encoded)
  if (bytes === undefined) refuse(`${place} has a "data:" address that is no base64.`)
  return bytes
}

function refuseLarge(length: number, place: string): void {
  if (length === 0) refuse(`${place} is empty.`)
  if (length > limits.fileBytesMax)
    refuse(`${place} has ${length} bytes; a file has at most ${limits.fileBytesMax}.`)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
