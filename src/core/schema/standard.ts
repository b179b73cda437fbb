import type { StandardSchemaV1 } from '@standard-schema/spec'
import { jsonPointer } from '../json/pointer.ts'
import type { JsonValue } from '../json/value.ts'
import { messageOf } from '../message-of.ts'
import { coerce } from './coerce.ts'
import { type Coercion, type Fault, FaultList } from './fault.ts'
import type { StandardSource } from './infer.ts'
import { copySchema, type Subschema } from './json-schema.ts'
import { SchemaRefusal } from './refusal.ts'

/** What a check of a Standard Schema gives. */
export type StandardResult =
  | {
      readonly ok: true
      readonly value: unknown
      readonly input: JsonValue
      readonly coerced: readonly Coercion[]
    }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** Issues of one check that are read, and steps of a path: a library can be anybody's. */
const issuesMax = 1_000
const stepsMax = 100

type Vendor = StandardSource['~standard']

/** The Standard Schema part of a value, or undefined when it has none. Throws SchemaRefusal when it is too old. */
export function standardOf(source: unknown): Vendor | undefined {
  try {
    return readVendor(source)
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) throw thrown
    throw new SchemaRefusal('', `it cannot be read (${messageOf(thrown, 200)})`)
  }
}

function readVendor(source: unknown): Vendor | undefined {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return undefined
  const vendor: unknown = (source as { '~standard'?: unknown })['~standard']
  if (isVendor(vendor)) return vendor
  if (typeof vendor === 'object' && vendor !== null) throw new SchemaRefusal('', adviceFor(vendor))
  if ('_def' in source || '_zod' in source) throw new SchemaRefusal('', adviceFor({ vendor: 'zod' }))
  return undefined
}

function isVendor(vendor: unknown): vendor is Vendor {
  if (typeof vendor !== 'object' || vendor === null) return false
  const { validate, jsonSchema } = vendor as { validate?: unknown; jsonSchema?: unknown }
  return typeof validate === 'function' && typeof jsonSchema === 'object' && jsonSchema !== null
}

function adviceFor(vendor: { readonly vendor?: unknown }): string {
  const missing = 'it cannot show itself as JSON Schema (StandardJSONSchemaV1)'
  if (vendor.vendor === 'valibot')
    return `${missing}; wrap it with toStandardJsonSchema from @valibot/to-json-schema`
  if (vendor.vendor === 'zod') return `${missing}; use Zod 4.2 or newer and import from "zod"`
  if (vendor.vendor === 'arktype') return `${missing}; use ArkType 2.1.28 or newer`
  return `${missing}; use a version of ${String(vendor.vendor ?? 'the library')} that has "~standard".jsonSchema`
}

/** The JSON Schema of a Standard Schema, as its library writes it. Throws SchemaRefusal with the library's reason. */
export function convertStandard(vendor: Vendor, direction: 'input' | 'output', options = {}): Subschema {
  let converted: unknown
  try {
    converted = vendor.jsonSchema[direction]({ target: 'draft-2020-12', ...options })
  } catch (thrown) {
    throw new SchemaRefusal('', `it has no JSON Schema: ${messageOf(thrown, 500).replace(/\.$/, '')}`)
  }
  return copySchema(converted)
}

/**
 * The JSON Schema of a Standard Schema's own output, with nothing said of what a transform gives; undefined where the
 * library cannot leave such places out.
 */
export function tellableOutput(vendor: Vendor): Subschema | undefined {
  const lenient = vendor.vendor === 'zod' ? { libraryOptions: { unrepresentable: 'any' } } : {}
  try {
    return convertStandard(vendor, 'output', lenient)
  } catch {
    return undefined
  }
}

/**
 * Checks a value with the library's own `validate`; only what fails is coerced, without loss, and checked again,
 * and only where a schema to coerce by is given.
 * The result is a promise when the library's is one. A library that throws gives a fault, never an exception.
 */
export function checkStandard(
  vendor: Vendor,
  schema: Subschema | undefined,
  value: JsonValue,
): StandardResult | Promise<StandardResult> {
  return after(validated(vendor, value), (first) => {
    if (first.ok || schema === undefined) return first
    const { value: converted, coerced } = coerce(value, schema)
    if (coerced.length === 0) return first
    return after(validated(vendor, converted), (second) => (second.ok ? { ...second, coerced } : second))
  })
}

function validated(vendor: Vendor, value: JsonValue): StandardResult | Promise<StandardResult> {
  try {
    const result = vendor.validate(value)
    if (!isThenable(result)) return resultOf(result, value)
    return Promise.resolve(result)
      .then((settled) => resultOf(settled, value))
      .catch(thrownResult)
  } catch (thrown) {
    return thrownResult(thrown)
  }
}

function resultOf(result: StandardSchemaV1.Result<unknown>, input: JsonValue): StandardResult {
  const { issues } = result
  if (issues === undefined || issues === null) {
    return { ok: true, value: (result as StandardSchemaV1.SuccessResult<unknown>).value, input, coerced: [] }
  }
  const faults = new FaultList()
  for (const issue of issues.slice(0, issuesMax)) faults.add(faultOf(issue))
  if (issues.length === 0) faults.add({ pointer: '', message: 'the value is not valid' })
  return { ok: false, faults: faults.all() }
}

function faultOf(issue: StandardSchemaV1.Issue): Fault {
  const path: readonly unknown[] = issue.path ?? []
  const pointer = jsonPointer(path.slice(0, stepsMax).map(stepOf))
  const message = messageOf(issue.message)
  return { pointer, message: pointer === '' ? message : `${pointer}: ${message}` }
}

function stepOf(step: unknown): string | number {
  const key: unknown = typeof step === 'object' && step !== null ? (step as { key?: unknown }).key : step
  return typeof key === 'number' ? key : messageOf(key, 200)
}

function thrownResult(thrown: unknown): StandardResult {
  const message = `the check of the value broke off: ${messageOf(thrown, 500)}`
  return { ok: false, faults: [{ pointer: '', message }] }
}

function after<Before, After>(
  value: Before | Promise<Before>,
  next: (value: Before) => After | Promise<After>,
): After | Promise<After> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function isThenable(value: unknown): value is PromiseLike<StandardSchemaV1.Result<unknown>> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
