import type { AnsweredPart } from '../core/driver.ts'
import type { FileReference } from '../core/file.ts'
import { asJson } from '../core/json/as-json.ts'

type Read = { readonly part: AnsweredPart } | { readonly fault: string }
type Given = Readonly<Record<string, unknown>>

/** Longer than any address that leads somewhere. */
const addressCharactersMax = 8_192
const titleCharactersMax = 1_000

const readers: Readonly<Record<string, (given: Given) => Read>> = {
  'provider-call': readProviderCall,
  'provider-result': readProviderResult,
  source: readSource,
  file: readFile,
  'made-file': readMadeFile,
}

/** Reads a part of an answer that is neither words nor a call of ours; undefined when it is of no such kind. */
export function readProviderPart(given: Given): Read | undefined {
  const { kind } = given
  return typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind]?.(given) : undefined
}

function readProviderCall(given: Given): Read {
  const [at, modelCallId, name] = textsOf(given, ['at', 'modelCallId', 'name'])
  const { argumentsText } = given
  if (
    at === undefined ||
    modelCallId === undefined ||
    name === undefined ||
    typeof argumentsText !== 'string'
  )
    return { fault: 'needs "at", "modelCallId", "name" and "argumentsText", each a text.' }
  return { part: { kind: 'provider-call', at, modelCallId, name, argumentsText } }
}

function readProviderResult(given: Given): Read {
  const [at, modelCallId, name] = textsOf(given, ['at', 'modelCallId', 'name'])
  const value = asJson(given.value)
  if (at === undefined || modelCallId === undefined || name === undefined || value === undefined)
    return { fault: 'needs "at", "modelCallId" and "name", each a text, and a "value" that is JSON.' }
  return {
    part: { kind: 'provider-result', at, modelCallId, name, value, isError: given.isError === true },
  }
}

/** What is too long to be an address or a title is left out or cut: nothing depends on it. */
function readSource(given: Given): Read {
  const [url, title] = textsOf(given, ['url', 'title'])
  return {
    part: {
      kind: 'source',
      ...(url === undefined || url.length > addressCharactersMax ? {} : { url }),
      ...(title === undefined ? {} : { title: title.slice(0, titleCharactersMax).toWellFormed() }),
    },
  }
}

/** A file that the session has already, such as in an answer that is played again. */
function readFile(given: Given): Read {
  const { digest, mediaType, bytes, name, width, height } = (asJson(given.file) ??
    {}) as Partial<FileReference>
  const isDigest = typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)
  if (!isDigest || typeof mediaType !== 'string' || !isCount(bytes)) return { fault: 'names no file.' }
  const file: FileReference = {
    digest,
    mediaType,
    bytes,
    ...(typeof name === 'string' ? { name } : {}),
    ...(isCount(width) && isCount(height) ? { width, height } : {}),
  }
  return { part: { kind: 'file', file } }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function readMadeFile(given: Given): Read {
  const { bytes } = given
  const [mediaType] = textsOf(given, ['mediaType'])
  if (!(bytes instanceof Uint8Array) || mediaType === undefined)
    return { fault: 'needs "bytes" and the "mediaType" of what they are.' }
  return { part: { kind: 'made-file', mediaType, bytes } }
}

function textsOf(given: Given, keys: readonly string[]): (string | undefined)[] {
  return keys.map((key) => {
    const text = given[key]
    return typeof text === 'string' ? text.toWellFormed() : undefined
  })
}
