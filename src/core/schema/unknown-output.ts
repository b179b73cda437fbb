import { isSameJson } from '../json/is-same-json.ts'
import type { JsonValue } from '../json/value.ts'
import { itemSchemas, memberSchemas } from './coerce.ts'
import { Declared, localTarget } from './declared.ts'
import type { Fault } from './fault.ts'
import { isSchemaObject, isSubschema, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { keywordForms } from './keywords.ts'
import { below } from './refusal.ts'

/** What a value is compared by where the schema of an output says nothing. */
export interface Sample {
  /** A value that the schema itself gave out; undefined when it is no JSON. */
  readonly sample: JsonValue | undefined
  readonly output: Subschema
  readonly input: Subschema
  /** What the sample does not tell either: a fault, or taken on trust. */
  readonly untold: 'fault' | 'trust'
}

/**
 * Checks a value at the places that a schema transforms to something which no JSON Schema tells. What is known of
 * such a place is what the schema gave there before, so the value has to be of that kind.
 */
export function faultsOfUnknown(value: JsonValue, by: Sample): readonly Fault[] {
  const comparison = new Comparison(by)
  comparison.visit(value, by.sample, [by.output], [by.input], '')
  return comparison.faults
}

class Comparison {
  readonly faults: Fault[] = []
  private readonly output: Declared
  private readonly input: Declared
  private readonly by: Sample

  constructor(by: Sample) {
    this.by = by
    this.output = new Declared(by.output)
    this.input = new Declared(by.input)
  }

  visit(
    value: JsonValue,
    sample: JsonValue | undefined,
    outputs: readonly Subschema[],
    inputs: readonly Subschema[],
    pointer: string,
  ): void {
    if (outputs.length === 0 || isSameJson(value, sample)) return
    if (!outputs.some((schema) => says(schema, this.by.output))) {
      // What says nothing of its input either takes anything, and gives anything.
      if (inputs.some((schema) => says(schema, this.by.input))) this.compare(value, sample, pointer)
      return
    }
    const [out, into] = [branches(this.output, outputs), branches(this.input, inputs)]
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        this.visit(
          item,
          partOf(sample, index),
          itemSchemas(out, index),
          itemSchemas(into, index),
          below(pointer, index),
        )
    } else if (isSchemaObject(value)) {
      for (const key of Object.keys(value))
        this.visit(
          value[key]!,
          partOf(sample, key),
          memberSchemas(out, key),
          memberSchemas(into, key),
          below(pointer, key),
        )
    }
  }

  private compare(value: JsonValue, sample: JsonValue | undefined, pointer: string): void {
    if (isSameJson(value, sample)) return
    const isStrict = this.by.untold === 'fault'
    if (sample === undefined || sample === null || value === null) {
      if (isStrict) this.fault(pointer, 'cannot be checked, since the schema does not tell its output there')
      return
    }
    if (kindOf(value) !== kindOf(sample)) {
      this.fault(pointer, `must be ${kindOf(sample)}, as the schema's own output is there`)
      return
    }
    if (isStrict && Array.isArray(value))
      for (const [index, item] of value.entries())
        this.compare(item, partOf(sample, index), below(pointer, index))
    if (isSchemaObject(value)) this.members(value, sample, pointer)
  }

  private members(value: JsonSchema, sample: JsonValue, pointer: string): void {
    for (const key of Object.keys(value)) this.compare(value[key]!, partOf(sample, key), below(pointer, key))
    if (this.by.untold === 'trust' || !isSchemaObject(sample)) return
    for (const key of Object.keys(sample))
      if (!Object.hasOwn(value, key)) this.fault(below(pointer, key), 'must stay')
  }

  private fault(pointer: string, says: string): void {
    this.faults.push({ pointer, message: pointer === '' ? says : `${pointer} ${says}` })
  }
}

function branches(declared: Declared, schemas: readonly Subschema[]): readonly JsonSchema[] {
  return schemas.flatMap((schema) => declared.branches(schema))
}

function partOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return isSchemaObject(value) ? own(value, String(key)) : undefined
}

const unions: readonly string[] = ['anyOf', 'oneOf']
const silentKeywords: ReadonlySet<string> = new Set([
  ...['$id', '$anchor', '$dynamicAnchor', '$schema', '$defs', 'definitions', '$ref', 'allOf', ...unions],
])

/** Whether a schema says anything of a value. */
function says(schema: Subschema, root: Subschema, seen: ReadonlySet<JsonSchema> = new Set()): boolean {
  if (typeof schema === 'boolean') return !schema
  if (seen.has(schema)) return true
  const inner = new Set([...seen, schema])
  const saysPart = (part: JsonValue) => isSubschema(part) && says(part, root, inner)
  const target = localTarget(root, own(schema, '$ref'))
  const isTelling = (key: string) => key === 'const' || (keywordForms.has(key) && !silentKeywords.has(key))
  if (Object.keys(schema).some(isTelling)) return true
  if (Object.hasOwn(schema, '$ref') && (!isSubschema(target) || says(target, root, inner))) return true
  const all = own(schema, 'allOf')
  if (Array.isArray(all) && all.some(saysPart)) return true
  return unions.some((keyword) => {
    const listed = own(schema, keyword)
    return Array.isArray(listed) && listed.every(saysPart)
  })
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'bigint' || typeof value === 'number' ? 'a number' : `a ${typeof value}`
}
