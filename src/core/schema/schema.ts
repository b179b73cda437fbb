import { ToolpostError } from '../error.ts'
import type { JsonValue } from '../json/value.ts'
import { coerce } from './coerce.ts'
import { refuseExplosivePatterns } from './explosive.ts'
import type { Coercion, Fault } from './fault.ts'
import { copySchema, type JsonSchema, type Subschema } from './json-schema.ts'
import { SchemaRefusal } from './refusal.ts'
import { refuseOtherRoots } from './root.ts'
import { checkStandard, convertStandard, standardOf, tellableOutput } from './standard.ts'
import { compile, type Validator, type ValidatorOptions } from './validator.ts'

export type { Coercion, Fault } from './fault.ts'
export type {
  InferSchema,
  InferSchemaInput,
  JsonSchemaSource,
  SchemaSource,
  StandardSource,
} from './infer.ts'
export type { JsonSchema } from './json-schema.ts'

/**
 * What a check found. `value` is what `execute` sees: a Standard Schema's own output, defaults applied. `input` is
 * the JSON value that passed: what was handed in, after the coercions.
 */
export type CheckResult<Output = unknown> =
  | {
      readonly ok: true
      readonly value: Output
      readonly input: JsonValue
      readonly coerced: readonly Coercion[]
    }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** A tool's schema, whatever library it was written with. */
export interface ToolSchema<Output = unknown> {
  /** Where it came from: a Standard Schema, or a plain JSON Schema. */
  readonly kind: 'standard' | 'json'
  /** What the model is shown. A plain schema has all its keywords in their order; it is a frozen copy. */
  readonly jsonSchema: JsonSchema
  /** Whether a value that fails is converted without loss and checked again. */
  readonly coerces: boolean
  /** Gives the value or every fault at every level (fifty in full). It never throws and never rejects. */
  check(value: JsonValue): CheckResult<Output> | Promise<CheckResult<Output>>
  /**
   * Checks what a schema that transforms gave out, and so cannot take again: as far as its library tells. Made when it
   * is first asked for; undefined when the library tells nothing. Absent for a plain schema, which gives what it takes.
   */
  readonly ofOutput?: () => ToolSchema | undefined
}

/** Which way the values of a schema go. */
type Direction = 'input' | 'answer' | 'output'

/** How a schema is read. */
export interface ToolSchemaOptions {
  /** The tool's name, for the error's sentence. */
  readonly name?: string
  /**
   * Arguments (`input`, the default) are objects and follow the rule on null; what a person answers (`answer`) follows
   * it and may be anything; a result (`output`) may be anything.
   */
  readonly direction?: Direction
  /** Whether what fails is converted without loss and checked again; default `lossless` for a Standard Schema, `off` for a plain one. */
  readonly coercion?: 'lossless' | 'off'
}

/**
 * Reads a tool's schema: a Standard Schema with its JSON Schema extension (Zod 4, ArkType, Valibot through
 * `toStandardJsonSchema`), or a JSON Schema (2020-12; draft-07 by `$schema`, and its tuples also without).
 *
 * A plain schema of an input is stricter than JSON Schema in one point: a required member must not be null unless
 * its schema names null. Formats are annotations. Patterns run in linear time. Nothing is fetched.
 *
 * Throws INVALID_SCHEMA, with the place in `details.pointer`, for a reference that resolves to nothing in the schema,
 * an unknown dialect, a keyword of a wrong form, a pattern of a plain schema with look-around or back-references, one of
 * a library's that may take exponential time in the engine that the library runs it in, `$async`, more than
 * 64 levels or 10,000 nodes, a loop, an input whose root takes other values than objects, or a library's schema
 * that has no JSON Schema.
 */
export function toolSchema<Output = unknown>(
  source: unknown,
  options: ToolSchemaOptions = {},
): ToolSchema<Output> {
  const { name, direction = 'input', coercion } = options
  try {
    const made = standardSchema(source, direction, coercion !== 'off')
    return (made ?? plainSchema(source, direction, coercion === 'lossless')) as ToolSchema<Output>
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) throw invalidSchema(thrown, name, direction)
    throw thrown
  }
}

function standardSchema(source: unknown, direction: Direction, coerces: boolean): ToolSchema | undefined {
  const vendor = standardOf(source)
  if (vendor === undefined) return undefined
  const schema = convertStandard(vendor, direction === 'output' ? 'output' : 'input')
  refuseExplosivePatterns(schema)
  if (direction === 'input') refuseOtherRoots(schema)
  return Object.freeze<ToolSchema>({
    kind: 'standard',
    jsonSchema: asObject(schema),
    coerces,
    check: (value) => checkStandard(vendor, coerces ? schema : undefined, value),
    ofOutput: once(() => outputSchema(tellableOutput(vendor))),
  })
}

/** A library's own words that this package cannot check are as good as none. */
function outputSchema(told: Subschema | undefined): ToolSchema | undefined {
  try {
    return told === undefined ? undefined : plainSchema(told, 'output', false)
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) return undefined
    throw thrown
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function plainSchema(source: unknown, direction: Direction, coerces: boolean): ToolSchema {
  const schema = copySchema(source)
  const isInput = direction === 'input'
  const options: ValidatorOptions = { requiredNotNull: direction !== 'output', objectOnly: isInput }
  const validate = compile(schema, options)
  if (isInput) refuseOtherRoots(schema)
  return Object.freeze<ToolSchema>({
    kind: 'json',
    jsonSchema: asObject(schema),
    coerces,
    check: (value) => {
      const first = plainResult(validate, value, [])
      if (first.ok || !coerces) return first
      const { value: converted, coerced } = coerce(value, schema)
      if (coerced.length === 0) return first
      return plainResult(validate, converted, coerced)
    },
  })
}

function plainResult(validate: Validator, value: JsonValue, coerced: readonly Coercion[]): CheckResult {
  const faults = validate(value)
  return faults.length === 0 ? { ok: true, value, input: value, coerced } : { ok: false, faults }
}

function asObject(schema: Subschema): JsonSchema {
  if (typeof schema !== 'boolean') return schema
  return Object.freeze<JsonSchema>(schema ? {} : { not: {} })
}

function invalidSchema(refusal: SchemaRefusal, name: string | undefined, direction: string): ToolpostError {
  const { pointer, message } = refusal
  const whose = name === undefined ? '' : ` of the tool ${JSON.stringify(name)}`
  const place = pointer === '' ? 'at its root' : `at ${pointer}`
  return new ToolpostError(
    'INVALID_SCHEMA',
    `The ${direction} schema${whose} cannot be used, ${place}: ${message}.`,
    {
      cause: refusal,
      details: { pointer, ...(name === undefined ? {} : { tool: name }) },
    },
  )
}
