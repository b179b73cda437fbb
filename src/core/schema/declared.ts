import type { JsonValue } from '../json/value.ts'
import { isSchemaObject, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { isOfType } from './rules/value.ts'

/** What a schema declares for one value: the branches of its unions, with references followed. */
export class Declared {
  private readonly root: Subschema

  constructor(root: Subschema) {
    this.root = root
  }

  /** The schemas a value may meet: those of `allOf` and `$ref` together, each branch of a union by itself. */
  branches(schema: Subschema): readonly JsonSchema[] {
    const found = new Set<JsonSchema>()
    const open: unknown[] = [schema]
    while (open.length > 0) {
      const next = open.pop()
      if (!isSchemaObject(next) || found.has(next)) continue
      found.add(next)
      open.push(localTarget(this.root, own(next, '$ref')))
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
        const listed = own(next, keyword)
        if (Array.isArray(listed)) open.push(...listed)
      }
    }
    return [...found].reverse()
  }
}

/** What a reference by pointer (`#/$defs/Item`) points to in a document; undefined for every other one. */
export function localTarget(root: Subschema, reference: JsonValue | undefined): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined
  let current: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const isParent = typeof current === 'object' && current !== null && Object.hasOwn(current, key)
    current = isParent ? (current as Record<string, unknown>)[key] : undefined
  }
  return current
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** The types that one schema names itself, by type, const or enum; undefined when it names none. */
export function namedTypes(schema: JsonSchema): ReadonlySet<string> | undefined {
  const [type, values] = [own(schema, 'type'), valuesOf(schema)]
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type.filter((name): name is string => typeof name === 'string'))
  return values === undefined ? undefined : new Set(values.map(typeOf))
}

/** Whether one schema takes a value as far as type, const and enum tell. */
export function takes(schema: JsonSchema, value: JsonValue): boolean {
  const [types, values] = [namedTypes(schema), valuesOf(schema)]
  if (types !== undefined && ![...types].some((type) => isOfType(value, type))) return false
  return values === undefined || typeof value === 'object' || values.includes(value)
}

function valuesOf(schema: JsonSchema): readonly JsonValue[] | undefined {
  const [constant, values] = [own(schema, 'const'), own(schema, 'enum')]
  if (constant !== undefined) return [constant]
  return Array.isArray(values) ? values : undefined
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : typeof value
}
