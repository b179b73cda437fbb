import { setOwn } from '../json/set-own.ts'
import type { JsonValue } from '../json/value.ts'
import { Declared, namedTypes, takes } from './declared.ts'
import type { Coercion } from './fault.ts'
import { isSchemaObject, isSubschema, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { lossless } from './lossless.ts'
import { below } from './refusal.ts'
import { isOfType } from './rules/value.ts'

/** A value after lossless conversions, and what they were. */
export interface Coerced {
  readonly value: JsonValue
  readonly coerced: readonly Coercion[]
}

/**
 * Converts, without loss, what has another type than the schema declares: models write `"5"` for 5, `"true"` for
 * true and the text of an array for an array. A value that some branch of its schema takes is never touched, so
 * that a text stays a text wherever a text may stand.
 */
export function coerce(value: JsonValue, schema: Subschema): Coerced {
  const coercer = new Coercer(new Declared(schema))
  return { value: coercer.visit(value, [schema], ''), coerced: coercer.coerced }
}

class Coercer {
  readonly coerced: Coercion[] = []
  private readonly declared: Declared

  constructor(declared: Declared) {
    this.declared = declared
  }

  visit(value: JsonValue, schemas: readonly Subschema[], pointer: string): JsonValue {
    const branches = schemas.flatMap((schema) => this.declared.branches(schema))
    const typed = branches.filter((branch) => namedTypes(branch) !== undefined)
    const converted =
      typed.length === 0 || typed.some((branch) => takes(branch, value)) ? undefined : convert(value, typed)
    if (converted === undefined) return this.inside(value, branches, pointer)
    this.coerced.push({ pointer, from: value, to: converted })
    return this.inside(converted, branches, pointer)
  }

  private inside(value: JsonValue, branches: readonly JsonSchema[], pointer: string): JsonValue {
    if (Array.isArray(value)) return this.array(value, branches, pointer)
    if (isSchemaObject(value)) return this.object(value, branches, pointer)
    return value
  }

  private array(value: readonly JsonValue[], branches: readonly JsonSchema[], pointer: string): JsonValue {
    return this.kept(value, () =>
      value.map((item, index) => this.visit(item, itemSchemas(branches, index), below(pointer, index))),
    )
  }

  private object(
    value: { readonly [key: string]: JsonValue },
    branches: readonly JsonSchema[],
    pointer: string,
  ) {
    const meant = meantBy(value, branches)
    return this.kept(value, () => {
      const copy: Record<string, JsonValue> = {}
      for (const key of Object.keys(value)) {
        setOwn(copy, key, this.visit(value[key]!, memberSchemas(meant, key), below(pointer, key)))
      }
      return copy
    })
  }

  /** The same value when nothing in it was converted. */
  private kept(value: JsonValue, walk: () => JsonValue): JsonValue {
    const before = this.coerced.length
    const copy = walk()
    return this.coerced.length === before ? value : copy
  }
}

const order = ['integer', 'number', 'boolean', 'null', 'array', 'object', 'string']

/** The first lossless conversion to a declared type that its branch takes. A text comes from a scalar only where nothing else is declared. */
function convert(value: JsonValue, branches: readonly JsonSchema[]): JsonValue | undefined {
  const types = new Set(branches.flatMap((branch) => [...(namedTypes(branch) ?? [])]))
  for (const type of order) {
    if (!types.has(type) || (type === 'string' && types.size > 1)) continue
    const converted = lossless(value, type)
    if (converted !== undefined && branches.some((branch) => takes(branch, converted))) return converted
  }
  return undefined
}

/** Of several branches for objects, those whose const and enum members do not speak against the value. */
function meantBy(
  value: { readonly [key: string]: JsonValue },
  branches: readonly JsonSchema[],
): readonly JsonSchema[] {
  return branches.filter((branch) => {
    const properties = own(branch, 'properties')
    if (!isSchemaObject(properties)) return true
    return Object.keys(properties).every((key) => {
      const member = own(properties, key)
      const given = own(value, key)
      const isTag =
        isSchemaObject(member) && (Object.hasOwn(member, 'const') || Object.hasOwn(member, 'enum'))
      return !isTag || typeof given !== 'string' || !isOfTypeOf(member, given) || takes(member, given)
    })
  })
}

function isOfTypeOf(schema: JsonSchema, value: JsonValue): boolean {
  return [...(namedTypes(schema) ?? [])].some((type) => isOfType(value, type))
}

/** What branches say of one item of a list. */
export function itemSchemas(branches: readonly JsonSchema[], index: number): readonly Subschema[] {
  return branches.flatMap((branch) => {
    const [prefix, items] = [own(branch, 'prefixItems'), own(branch, 'items')]
    const tuple = Array.isArray(prefix) ? prefix : Array.isArray(items) ? items : []
    const schema = index < tuple.length ? tuple[index] : items
    return isSubschema(schema) ? [schema] : []
  })
}

/** What branches say of one member of an object. */
export function memberSchemas(branches: readonly JsonSchema[], key: string): readonly Subschema[] {
  return branches.flatMap((branch) => {
    const [properties, additional] = [own(branch, 'properties'), own(branch, 'additionalProperties')]
    const named = isSchemaObject(properties) ? own(properties, key) : undefined
    const schema = named ?? additional
    return isSubschema(schema) ? [schema] : []
  })
}
