import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { AnsweredPart, MadeFilePart } from '../../core/driver.ts'
import { asJson } from '../../core/json/as-json.ts'
import { bytesOfBase64 } from '../../core/json/from-base64.ts'
import { isJsonObject, type JsonValue } from '../../core/json/value.ts'
import { mediaTypeOf } from '../images/media-type-of.ts'
import { withoutBigints, withProviderData } from '../provider-data.ts'

type StreamPartOf<Type extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { type: Type }
>

/** A call that the provider runs itself, as the log keeps it. `at` is the provider's name. */
export function providerCallPart(part: StreamPartOf<'tool-call'>, at: string): AnsweredPart {
  const { toolCallId: modelCallId, toolName: name, input, providerMetadata } = part
  const argumentsText = typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
  return {
    kind: 'provider-call',
    at,
    modelCallId,
    name,
    argumentsText,
    ...withProviderData(providerMetadata),
  }
}

/**
 * What came of such a call; several parts where it is a file. Undefined when it is no JSON. An image stands in no
 * log: it becomes a part of its own, and the result is an empty object.
 */
export function providerResultParts(
  part: StreamPartOf<'tool-result'>,
  at: string,
): readonly AnsweredPart[] | undefined {
  const json = asJson(part.result)
  if (json === undefined) return undefined
  const image = imageIn(json)
  const result: AnsweredPart = {
    kind: 'provider-result',
    at,
    modelCallId: part.toolCallId,
    name: part.toolName,
    value: image === undefined ? withoutBigints(json) : {},
    isError: part.isError === true,
    ...withProviderData(part.providerMetadata),
  }
  return image === undefined ? [result] : [result, image]
}

/** OpenAI's image generation gives a picture as base64, and nothing beside it. */
function imageIn(json: JsonValue): MadeFilePart | undefined {
  if (!isJsonObject(json) || Object.keys(json).length !== 1 || typeof json.result !== 'string')
    return undefined
  const bytes = bytesOfBase64(json.result)
  const mediaType = bytes && mediaTypeOf(bytes)
  return mediaType?.startsWith('image/') === true && bytes !== undefined
    ? { kind: 'made-file', mediaType, bytes }
    : undefined
}

/** A place that the answer rests on. */
export function sourcePart(part: StreamPartOf<'source'>): AnsweredPart {
  const { title, providerMetadata } = part
  return {
    kind: 'source',
    ...(part.sourceType === 'url' ? { url: part.url } : {}),
    ...(title === undefined ? {} : { title }),
    ...withProviderData(providerMetadata),
  }
}

/** A file that the model made; undefined when only its address was given, or it cannot be read. */
export function madeFile({
  data,
  mediaType,
  providerMetadata,
}: StreamPartOf<'file'>): MadeFilePart | undefined {
  const bytes = bytesOf(data)
  return bytes === undefined
    ? undefined
    : { kind: 'made-file', mediaType, bytes, ...withProviderData(providerMetadata) }
}

/** Bare in versions 2 and 3 of the provider interface, and in an object since. */
function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data
  if (typeof data === 'string') return bytesOfBase64(data)
  if (typeof data !== 'object' || data === null) return undefined
  const { data: inner } = data as { data?: unknown }
  if (inner instanceof Uint8Array) return inner
  return typeof inner === 'string' ? bytesOfBase64(inner) : undefined
}
