import type { FileReference } from './file.ts'
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
  | ProviderCallPart
  | ProviderResultPart
  | SourcePart
  | FilePart

/** A call that the provider made itself and ran itself; it is a record, and nothing that anybody here runs. */
export interface ProviderCallPart {
  readonly kind: 'provider-call'
  /** The provider whose call it is, as in the driver's name: only it is given the call back. */
  readonly at: string
  readonly modelCallId: string
  readonly name: string
  readonly argumentsText: string
  readonly provider?: ProviderData
}

/** What a provider's own call came to. */
export interface ProviderResultPart {
  readonly kind: 'provider-result'
  readonly at: string
  readonly modelCallId: string
  readonly name: string
  readonly value: JsonValue
  readonly isError: boolean
  readonly provider?: ProviderData
}

/** A place that an answer rests on. It is for people: no provider takes it back. */
export interface SourcePart {
  readonly kind: 'source'
  /** Absent for a document that has no address. */
  readonly url?: string
  readonly title?: string
  readonly provider?: ProviderData
}

/** A file that the model made. */
export interface FilePart {
  readonly kind: 'file'
  readonly file: FileReference
  readonly provider?: ProviderData
}

/** The same as a driver hands it over: a session keeps the bytes and makes a `FilePart` of it. */
export interface MadeFilePart {
  readonly kind: 'made-file'
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly provider?: ProviderData
}

/** A part of an answer as a driver gives it. */
export type AnsweredPart = AssistantPart | MadeFilePart

/** What the model is told of one call's outcome. */
export interface ToolResultPart {
  readonly modelCallId: string
  readonly name: string
  readonly text: string
  /** What the tool gave beside its text. */
  readonly files?: readonly FileReference[]
  /** True when the call was refused or failed. */
  readonly isError: boolean
}

/** A message of a conversation as a driver is given it. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly files?: readonly FileReference[] }
  | { readonly role: 'assistant'; readonly parts: readonly AnsweredPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] }

/** A tool as the model is shown it. */
export interface ToolSpecification {
  readonly name: string
  readonly description: string
  readonly jsonSchema: Readonly<Record<string, JsonValue>>
}

/** A tool that the model's provider runs, as the provider is asked for it. */
export interface ProviderToolSpecification {
  readonly id: `${string}.${string}`
  readonly name: string
  readonly args: Readonly<Record<string, JsonValue>>
}

/** One request to a model. */
export interface DriverRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpecification[]
  /** Default none. */
  readonly providerTools?: readonly ProviderToolSpecification[]
  /** The bytes of the files that the messages name, by digest; what is not there is said to be missing. */
  readonly files?: ReadonlyMap<string, Uint8Array>
  /** The most tokens that the answer may have; absent = the provider's default. */
  readonly outputTokensMax?: number
  readonly temperature?: number
  /**
   * What a final answer has to be. The messages say so too; a driver hands it on where its provider can hold the model
   * to it, and may leave it out.
   */
  readonly outputSchema?: Readonly<Record<string, JsonValue>>
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
      readonly parts: readonly AnsweredPart[]
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
  /** Where others are served before it: the time in which it waits for its turn is no idle time. */
  readonly turn?: DriverTurn
}

/** Whether a driver waits until it may ask its model. */
export interface DriverTurn {
  readonly isAwaited: boolean
  /** Calls back whenever a wait is over; returns what ends that. */
  listen(listener: () => void): () => void
}
