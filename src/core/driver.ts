import type { JsonValue } from './json/value.ts'

/** Data that a provider wants back untouched with the next request (signatures, encrypted reasoning). */
export type ProviderData = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>

/** A part of what a model said, in the order in which it said it. */
export type AssistantPart =
  | { readonly kind: 'text'; readonly text: string; readonly provider?: ProviderData }
  | { readonly kind: 'reasoning'; readonly text: string; readonly provider?: ProviderData }
  | {
      readonly kind: 'call'
      /** The id that the model knows the call by; unique within the conversation. */
      readonly modelCallId: string
      readonly name: string
      /** The arguments exactly as the model wrote them. */
      readonly argumentsText: string
      readonly provider?: ProviderData
    }

/** What the model is told of one call's outcome. */
export interface ToolResultPart {
  readonly modelCallId: string
  readonly name: string
  readonly text: string
  /** True when the call was refused or failed. */
  readonly isError: boolean
}

/** A message of a conversation as a driver is given it. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] }

/** A tool as the model is shown it. */
export interface ToolSpecification {
  readonly name: string
  readonly description: string
  readonly jsonSchema: Readonly<Record<string, JsonValue>>
}

/** One request to a model. */
export interface DriverRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpecification[]
  /** The most tokens that the answer may have; absent = the provider's default. */
  readonly outputTokensMax?: number
  readonly temperature?: number
}

/** Tokens that a step used; absent = the provider did not say. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

/**
 * Why a model stopped. Calls are taken only on `calls` or `stop`: a step cut short
 * (`length`, `filter`, `error`, `other`) runs nothing.
 */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filter' | 'error' | 'other'

/** What a driver reports while a model answers. */
export type DriverPart =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** A proposed call is being written; for display only. */
  | { readonly type: 'call'; readonly modelCallId: string; readonly name: string }
  | { readonly type: 'warning'; readonly message: string }
  /** The last part: the provider's end marker was seen, and `parts` is the whole answer. */
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      readonly parts: readonly AssistantPart[]
      readonly usage: Usage
      /** The provider's own word for the reason. */
      readonly rawReason?: string
    }

/**
 * Who proposes: a model behind one interface.
 *
 * Contract: `propose` yields parts and ends with exactly one `finish`. It throws when the provider
 * refuses or breaks off (a stream that ends without the provider's end marker is a break), and it
 * stops soon after `signal` aborts. It keeps no state between two requests.
 */
export interface Driver {
  /** Provider and model, for records: `openai.responses/gpt-5.6`. */
  readonly name: string
  propose(request: DriverRequest, signal: AbortSignal): AsyncIterable<DriverPart>
}
