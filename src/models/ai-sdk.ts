import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import type { Driver, DriverPart, DriverRequest, ProviderData } from '../core/driver.ts'
import { checkOptions } from '../core/known-keys.ts'
import { type AiSdkModel, toLanguageModel } from './ai-sdk-model.ts'
import { Answer } from './answer.ts'
import { toCallOptions } from './call-options.ts'
import { modelBrokeOff, modelFailure } from './failure.ts'
import { readFinish } from './finish.ts'
import { forVersion } from './for-version.ts'
import { pastPauses } from './past-pauses.ts'
import {
  madeFile,
  providerCallPart,
  providerResultParts,
  sourcePart,
} from './provider-tools/provider-parts.ts'
import { sentNames } from './sent-names.ts'
import { StreamReader } from './stream-reader.ts'
import { untilAborted } from './until-aborted.ts'
import { warningText } from './warning-text.ts'

/** What goes with every request of a driver. */
export interface AiSdkDriverOptions {
  /**
   * Options of the provider's own, by provider: `{ openai: { store: false } }` has OpenAI's reasoning come back
   * encrypted, so that a session does not depend on what OpenAI keeps.
   */
  readonly providerOptions?: ProviderData
}

/**
 * A driver over a model of any AI SDK provider. It asks once: what fails is thrown, and whether to ask again is the
 * caller's to say. What the provider's own tools did stands in the answer as a record. A tool whose name no provider takes is shown to the model by a short form of it, and called by its own; strict mode is never on.
 *
 * Throws INVALID_AGENT when the model is no AI SDK model of a known version, INVALID_ARGUMENT for an option that does
 * not exist. `propose` throws MODEL_FAILED when the
 * provider refuses, fails or breaks off (`details.status`, `details.retryable`), INVALID_ARGUMENT when results and
 * calls of the request cannot be paired, and the signal's reason when it aborts.
 */
export function aiSdkDriver(model: AiSdkModel, options: AiSdkDriverOptions = {}): Driver {
  checkOptions(options, ['providerOptions'], 'aiSdkDriver()')
  const languageModel = toLanguageModel(model)
  const name = `${languageModel.provider}/${languageModel.modelId}`
  return {
    name,
    propose: (asked, signal) =>
      pastPauses(asked, (request) => propose(languageModel, name, { request, signal, ...options })),
  }
}

async function* propose(
  model: LanguageModelV4,
  name: string,
  { request, signal, providerOptions }: AiSdkDriverOptions & { request: DriverRequest; signal: AbortSignal },
): AsyncGenerator<DriverPart, void, undefined> {
  signal.throwIfAborted()
  const names = sentNames(request)
  const answer = new Answer(names.fromModel)
  const saysNotStrict = strictByDefault.test(model.provider)
  const newest = toCallOptions(request, {
    at: model.provider,
    providerOptions,
    signal,
    names,
    saysNotStrict,
  })
  const options = forVersion(newest, model.specificationVersion)
  const stream = await openStream(model, name, options, signal)
  const reader = new StreamReader(stream, signal)
  let sawLast = false
  try {
    while (!sawLast) {
      const part = await nextPart(reader, name, signal)
      sawLast = part.type === 'finish'
      for (const news of newsOf(part, answer, model.provider)) yield news
    }
  } finally {
    reader.letGo(sawLast)
  }
}

function newsOf(part: LanguageModelV4StreamPart, answer: Answer, at: string): DriverPart[] {
  switch (part.type) {
    case 'text-start':
    case 'reasoning-start':
      answer.begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata)
      return []
    case 'text-delta':
      return answer.text('text', part.id, part.delta, part.providerMetadata)
    case 'reasoning-delta':
      return answer.text('reasoning', part.id, part.delta, part.providerMetadata)
    case 'text-end':
    case 'reasoning-end':
      return answer.text(part.type === 'text-end' ? 'text' : 'reasoning', part.id, '', part.providerMetadata)
    case 'tool-input-start':
      return part.providerExecuted === true ? [] : answer.announce(part.id, part.toolName)
    case 'tool-call':
      return part.providerExecuted === true ? answer.add([providerCallPart(part, at)]) : answer.call(part)
    case 'tool-result':
      return part.preliminary === true ? [] : takeResult(part, answer, at)
    case 'source':
      return answer.add([sourcePart(part)])
    case 'tool-approval-request':
      return leftOut('an approval request for a tool of its own')
    case 'file': {
      const file = madeFile(part)
      return file === undefined ? leftOut(`a file (${part.mediaType}) by its address`) : answer.add([file])
    }
    case 'reasoning-file':
      return leftOut(`a file (${part.mediaType}) that was part of its reasoning`)
    case 'custom':
      return part.kind === messageStart ? [] : leftOut(`content of its own kind (${part.kind})`)
    case 'stream-start':
      return part.warnings.map((warning) => ({ type: 'warning', message: warningText(warning) }))
    case 'finish':
      return answer.finish(part)
    default:
      return []
  }
}

function takeResult(
  part: Extract<LanguageModelV4StreamPart, { type: 'tool-result' }>,
  answer: Answer,
  at: string,
): DriverPart[] {
  const parts = providerResultParts(part, at)
  return parts === undefined ? leftOut(`a result of ${part.toolName} that is no JSON`) : answer.add(parts)
}

/** OpenAI's Responses API takes silence for strict mode, which closes free-form objects and widens optional members. */
const strictByDefault = /\.responses$/

/** Anthropic's provider marks where an answer begins; nothing is lost with the mark. */
const messageStart = 'anthropic.message_start'

function leftOut(what: string): DriverPart[] {
  return [{ type: 'warning', message: `The provider's answer holds ${what}, which is left out.` }]
}

async function openStream(
  model: LanguageModelV4,
  name: string,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  // In a promise from the start: a provider may also throw before it returns one.
  const opening = (async () => model.doStream(options))()
  try {
    return (await untilAborted(opening, signal)).stream
  } catch (thrown) {
    opening.then(discard, () => undefined)
    if (signal.aborted) throw signal.reason
    throw modelFailure(name, thrown)
  }
}

/** A stream that opened after nobody waited for it any more. */
function discard(result: LanguageModelV4StreamResult): void {
  result.stream.cancel().catch(() => undefined)
}

/** The next part of an answer that is whole so far; throws when the stream reports a failure, ends or is cut. */
async function nextPart(
  reader: StreamReader<LanguageModelV4StreamPart>,
  name: string,
  signal: AbortSignal,
): Promise<LanguageModelV4StreamPart> {
  let part: LanguageModelV4StreamPart | undefined
  try {
    part = (await reader.read()).value
  } catch (thrown) {
    throw signal.aborted ? signal.reason : modelBrokeOff(name, thrown)
  }
  // A cancelled stream ends like a whole one.
  if (signal.aborted) throw signal.reason
  if (part === undefined) throw modelBrokeOff(name)
  if (part.type === 'error') throw modelFailure(name, part.error)
  // The provider's own word for a stream that was cut; the answer may be half.
  const isCut = part.type === 'finish' && readFinish(part.finishReason).unified === 'interrupted'
  if (isCut) throw modelBrokeOff(name)
  return part
}
