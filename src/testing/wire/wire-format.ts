import type { JsonObject } from '../../core/json/value.ts'
import type { WireRefusal } from './wire-refusal.ts'
import type { WireAnswer } from './wire-step.ts'

/** An answer as it goes over the wire: the events of its stream, and the body for who does not stream. */
export interface WireReply {
  readonly events: readonly string[]
  readonly body: object
}

/** A provider's endpoint. It remembers what it gave out, so that it can tell whether it comes back whole. */
export interface WireFormat {
  readonly path: string
  /** The names of its models. */
  readonly models: RegExp
  /** What it lists as its models when a server was given none. */
  readonly someModels: readonly string[]
  /** Errors: WireRefusal when a header is missing. */
  checkHeaders(headers: Readonly<Record<string, string | undefined>>): void
  /** Errors: WireRefusal for a request that breaks the published schema, or the rules about what follows what. */
  checkBody(body: JsonObject): void
  reply(body: JsonObject, answer: WireAnswer): WireReply
  errorBody(refusal: WireRefusal, number: number): object
}
