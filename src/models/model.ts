import type { Driver } from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'
import { aiSdkDriver } from './ai-sdk.ts'
import { type AiSdkModel, looksLikeAiSdkModel, toLanguageModel } from './ai-sdk-model.ts'

/** What an agent takes as its model: a driver, or a language model of any AI SDK provider. */
export type Model = Driver | AiSdkModel

/** The driver that a model is, or the one that carries it. Throws INVALID_AGENT when it is neither. */
export function toDriver(model: unknown): Driver {
  if (isDriver(model)) return model
  if (looksLikeAiSdkModel(model)) return aiSdkDriver(toLanguageModel(model))
  throw new ToolpostError('INVALID_AGENT', refusal(model))
}

function isDriver(model: unknown): model is Driver {
  if (typeof model !== 'object' || model === null) return false
  const { name, propose } = model as { name?: unknown; propose?: unknown }
  return typeof name === 'string' && typeof propose === 'function'
}

function refusal(model: unknown): string {
  const wanted =
    "pass a provider's model, such as openai('gpt-5.6') of @ai-sdk/openai, or a driver, such as scriptedModel([...])"
  if (typeof model === 'string') return `The model is the text ${JSON.stringify(model)}; ${wanted}.`
  if (typeof model === 'function')
    return `The model is a function; call the provider with a model id: ${wanted}.`
  return `The model is ${model === null ? 'null' : `of type ${typeof model}`} and neither a driver nor an AI SDK model; ${wanted}.`
}
