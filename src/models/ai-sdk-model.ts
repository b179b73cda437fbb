import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { ToolpostError } from '../core/error.ts'

/** A language model of any AI SDK provider, versions 2 to 4 of the provider interface (AI SDK 5 to 7). */
export type AiSdkModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

const versions: ReadonlySet<unknown> = new Set(['v2', 'v3', 'v4'])

/** Whether a value presents itself as an AI SDK language model, of whatever version. */
export function looksLikeAiSdkModel(model: unknown): model is { readonly specificationVersion: unknown } {
  return (
    typeof model === 'object' &&
    model !== null &&
    'specificationVersion' in model &&
    typeof (model as { doStream?: unknown }).doStream === 'function'
  )
}

/**
 * The model, once it is known to speak a version of the provider interface that this package speaks. The three
 * versions differ only in reports that are read in either form, so all are taken as the newest.
 *
 * Throws INVALID_AGENT.
 */
export function toLanguageModel(model: unknown): LanguageModelV4 {
  if (!looksLikeAiSdkModel(model)) {
    throw new ToolpostError(
      'INVALID_AGENT',
      "The model is no AI SDK language model; pass one that a provider made, such as openai('gpt-5.6') of @ai-sdk/openai.",
    )
  }
  const version = model.specificationVersion
  if (!versions.has(version)) {
    throw new ToolpostError(
      'INVALID_AGENT',
      `The model speaks version "${String(version)}" of the AI SDK's provider interface, and v2, v3 and v4 are known here; install a provider package that speaks v4, such as @ai-sdk/openai 4 or @ai-sdk/anthropic 4.`,
    )
  }
  return model as LanguageModelV4
}
