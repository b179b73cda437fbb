import type { JsonValue } from '../../json/value.ts'
import { type Frame, mismatch, type Rule, spend } from '../frame.ts'
import { identityOf } from '../identity.ts'
import { show, showAll } from './show.ts'

const typeTests: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  number: (value) => typeof value === 'bigint' || Number.isFinite(value),
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
}

const typeTexts: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  string: 'a string',
  array: 'an array',
  object: 'an object',
  number: 'a number',
  integer: 'an integer',
}

/** Whether a value is of a type of JSON Schema; 5.0 and an exact big integer are integers. */
export function isOfType(value: JsonValue, type: string): boolean {
  return typeTests[type]?.(value) ?? false
}

/** `type`: one name or several. */
export function typeRule(type: string | readonly string[]): Rule {
  const names = typeof type === 'string' ? [type] : type
  const text = `must be ${names.map((name) => typeTexts[name]).join(' or ')}`
  return (value, frame) => names.some((name) => isOfType(value, name)) || mismatch(frame, text, 'type')
}

/** `enum` and `const`, by exact equality of JSON values. */
export function enumRule(allowed: readonly JsonValue[]): Rule {
  const identities = new Set(allowed.map(identityOf))
  const text = allowed.length === 1 ? `must be ${show(allowed[0]!)}` : `must be one of ${showAll(allowed)}`
  return (value, frame) => identities.has(identityWithin(value, frame)) || mismatch(frame, text, 'value')
}

/** The identity of a value, its length counted against the bound: a large value may meet many enums. */
export function identityWithin(value: JsonValue, frame: Frame): string {
  const identity = identityOf(value)
  spend(frame, identity.length >> 4)
  return identity
}
