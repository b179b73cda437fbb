import type {
  AnsweredPart,
  AssistantPart,
  MadeFilePart,
  ModelMessage,
  ToolResultPart,
} from '../core/driver.ts'
import type { FileReference } from '../core/file.ts'
import { limits } from '../core/limits.ts'
import { imageSize } from '../models/images/image-size.ts'
import type { Journal } from '../runtime/journal.ts'
import type { Task } from '../runtime/task.ts'
import { madeFileType } from './sendable-file.ts'

/** A file before its bytes are in the store. */
export interface NewFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string
  readonly width?: number
  readonly height?: number
}

type Keeper = Pick<Task, 'parts' | 'journal'>

/** Puts a file's bytes into the session's store and gives what the log says of it. */
export async function keepFile({ parts, journal }: Keeper, file: NewFile): Promise<FileReference> {
  const { bytes, ...rest } = file
  const digest = await parts.store.putBlob(journal.stream, bytes)
  noteBytes(journal, digest, bytes)
  return { digest, ...rest, bytes: bytes.length }
}

/**
 * Keeps the files that a model made; those that pass a bound are left out, each with a sentence. What cannot be sent
 * again, as a user's file could not, is kept and told of: the log says by its type that it is not for models.
 */
export async function keepMade(
  keeper: Keeper,
  answered: readonly AnsweredPart[],
  warn: (sentence: string) => void,
): Promise<AssistantPart[]> {
  const parts: AssistantPart[] = []
  let count = 0
  for (const part of answered) {
    if (part.kind !== 'made-file') parts.push(part)
    else {
      count += 1
      const fault = faultOf(part, count)
      if (fault === undefined)
        parts.push(
          await keepPart(keeper, part, (why) =>
            warn(`File ${count} that the model made ${why} It is kept, and is not sent to a model again.`),
          ),
        )
      else warn(`${fault}; it is left out.`)
    }
  }
  return parts
}

async function keepPart(
  keeper: Keeper,
  part: MadeFilePart,
  tell: (fault: string) => void,
): Promise<AssistantPart> {
  const { bytes, provider } = part
  const { mediaType, fault } = await madeFileType(bytes, part.mediaType)
  if (fault !== undefined) tell(fault)
  const file = await keepFile(keeper, { bytes, mediaType, ...imageSize(bytes) })
  return { kind: 'file', file, ...(provider === undefined ? {} : { provider }) }
}

function faultOf({ bytes }: MadeFilePart, count: number): string | undefined {
  if (count > limits.filesMax) return `The model made more than ${limits.filesMax} files`
  if (bytes.length > limits.fileBytesMax)
    return `The model made a file of ${bytes.length} bytes, more than ${limits.fileBytesMax}`
  return undefined
}

type Bytes = ReadonlyMap<string, Uint8Array>

/** The bytes of the files that are in a session's context, as long as it is in memory: every step sends them again. */
const keptBytes = new WeakMap<Journal, Bytes>()

function noteBytes(journal: Journal, digest: string, bytes: Uint8Array): void {
  keptBytes.set(journal, new Map(keptBytes.get(journal)).set(digest, bytes))
}

const noFiles: Bytes = new Map()

/** The bytes of all files that the messages name; what the store does not have is not among them. */
export async function filesOf({ parts, journal }: Keeper, messages: readonly ModelMessage[]): Promise<Bytes> {
  const named = namedIn(journal, messages)
  const known = keptBytes.get(journal) ?? noFiles
  if (named.size === known.size && [...named].every((digest) => known.has(digest))) return known
  const files = new Map<string, Uint8Array>()
  for (const digest of named) {
    const bytes = known.get(digest) ?? (await parts.store.getBlob(journal.stream, digest))
    if (bytes !== undefined) files.set(digest, bytes)
  }
  keptBytes.set(journal, files)
  return files
}

/** A conversation that was looked through: its first and its last message, and how many there were. */
interface LookedThrough {
  readonly first: ModelMessage | undefined
  readonly last: ModelMessage | undefined
  readonly count: number
  readonly digests: Set<string>
}

const lookedThrough = new WeakMap<Journal, LookedThrough>()

/** The digests in the order in which they are named. A conversation grows at its end: only that is looked through anew. */
function namedIn(journal: Journal, messages: readonly ModelMessage[]): ReadonlySet<string> {
  const before = lookedThrough.get(journal)
  // The instructions are composed anew for every step; they name no file.
  const first = messages.find(({ role }) => role !== 'system')
  const isGrown = before !== undefined && first === before.first && messages[before.count - 1] === before.last
  const digests = isGrown ? before.digests : new Set<string>()
  // A message that has changed is another object, and then all is looked through again.
  for (let place = isGrown ? before.count : 0; place < messages.length; place += 1)
    addDigests(messages[place] as ModelMessage, digests)
  lookedThrough.set(journal, { first, last: messages.at(-1), count: messages.length, digests })
  return digests
}

function addDigests(message: ModelMessage, digests: Set<string>): void {
  if (message.role === 'user') for (const { digest } of message.files ?? []) digests.add(digest)
  if (message.role === 'tool') addOfResults(message.results, digests)
  if (message.role !== 'assistant') return
  for (const part of message.parts) if (part.kind === 'file') digests.add(part.file.digest)
}

function addOfResults(results: readonly ToolResultPart[], digests: Set<string>): void {
  for (const { files } of results) for (const { digest } of files ?? []) digests.add(digest)
}
