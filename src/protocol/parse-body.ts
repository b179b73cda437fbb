import { asJson } from '../core/json/as-json.ts'
import { type ParseLimits, parseJson } from '../core/json/strict.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import type { Fault } from '../core/schema/fault.ts'
import { compile, type Validator } from '../core/schema/validator.ts'
import type { Body } from './body.ts'
import { wireBounds } from './bounds.ts'
import { longIds } from './long-ids.ts'

/** A value that passed, or everything that is wrong with it. */
export type BodyResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/**
 * Holds a value against a body's schema. What passes is a copy of plain JSON. Faults carry JSON pointers (RFC 6901)
 * and never throw; no sentence repeats what a client wrote but for the names of its keys.
 */
export function parseBody<Value>(body: Body<Value>, value: unknown): BodyResult<Value> {
  const json = asJson(value)
  if (json === undefined) return { ok: false, faults: [{ pointer: '', message: whyNotJson(value) }] }
  const faults = validatorOf(body)(json)
  if (faults.length > 0) return { ok: false, faults }
  const long = longIds(body.schema, json)
  return long.length > 0 ? { ok: false, faults: long } : { ok: true, value: json as Value }
}

/** As deep as `asJson` goes, so that what can be handed in can be sent. */
const depthMax = 128

const validators = new WeakMap<Body<unknown>, Validator>()

/** A body is declared once: to find its validator by the content of its schema costs more than the rest of a check. */
function validatorOf(body: Body<unknown>): Validator {
  const known = validators.get(body)
  if (known !== undefined) return known
  const validator = compile(body.schema)
  validators.set(body, validator)
  return validator
}

/** Reads a JSON text and holds it against a body's schema. By default a text may have 2,000,000 bytes and 128 levels. */
export function parseBodyText<Value>(
  body: Body<Value>,
  text: string,
  limits: ParseLimits = {},
): BodyResult<Value> {
  const parsed = parseJson(text, { bytesMax: wireBounds.frameBytesMax, depthMax, ...limits })
  if (parsed.ok) return parseBody(body, parsed.value)
  return { ok: false, faults: [{ pointer: '', message: parsed.fault.message }] }
}

/** A pointer may be as long as the keys that a client wrote. */
const sentenceCharactersMax = 300

/** The first faults as one sentence. */
export function faultSentence(faults: readonly Fault[]): string {
  const shown = faults
    .slice(0, 3)
    .map(({ message }) => message.slice(0, sentenceCharactersMax).toWellFormed())
  const more = faults.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
