import type { JsonSchema } from '../core/schema/json-schema.ts'

/**
 * A body of the wire: its name in the OpenAPI document, its JSON Schema (2020-12), and, for types only, what a value
 * that passes is. Bodies that clients send refuse unknown keys; bodies that hosts send may grow, so that a client of
 * today reads a host of tomorrow.
 */
export interface Body<Value> {
  readonly name: string
  readonly schema: JsonSchema
  /** Never there: it carries the type. */
  readonly '~value'?: Value
}

/** The type of what passes a body's schema. */
export type BodyValue<Of> = Of extends Body<infer Value> ? Value : never

/** Declares a body. */
export function defineBody<Value>(name: string, schema: JsonSchema): Body<Value> {
  return Object.freeze({ name, schema })
}
