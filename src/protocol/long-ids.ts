import type { JsonValue } from '../core/json/value.ts'
import { type Fault, faultAt } from '../core/schema/fault.ts'
import { isSchemaObject, type JsonSchema, own } from '../core/schema/json-schema.ts'
import { below } from '../core/schema/refusal.ts'
import { codeUnitsKeyword } from './schema-words.ts'

/** Faults for ids with too many UTF-16 code units, in a value that passed the schema. */
export function longIds(schema: JsonSchema, value: JsonValue, pointer = ''): readonly Fault[] {
  const most = own(schema, codeUnitsKeyword)
  if (typeof value === 'string') {
    if (typeof most !== 'number' || value.length <= most) return []
    return [faultAt(pointer, `must have at most ${most} UTF-16 code units`)]
  }
  if (Array.isArray(value)) {
    const items = own(schema, 'items')
    if (!isSchemaObject(items)) return []
    return value.flatMap((item: JsonValue, index) => longIds(items, item, below(pointer, index)))
  }
  if (!isSchemaObject(value)) return []
  return [...inMembers(schema, value, pointer), ...inBranches(schema, value, pointer)]
}

function inMembers(schema: JsonSchema, value: JsonSchema, pointer: string): readonly Fault[] {
  const properties = own(schema, 'properties')
  if (!isSchemaObject(properties)) return []
  return Object.keys(value).flatMap((key) => {
    const member = own(properties, key)
    return isSchemaObject(member) ? longIds(member, value[key]!, below(pointer, key)) : []
  })
}

/** An id is an id in every branch, so that it does not matter which one was meant. */
function inBranches(schema: JsonSchema, value: JsonSchema, pointer: string): readonly Fault[] {
  const branches = own(schema, 'oneOf')
  if (!Array.isArray(branches)) return []
  const faults = branches
    .filter(isSchemaObject)
    .flatMap((branch: JsonSchema) => longIds(branch, value, pointer))
  return faults.filter(
    (fault, index) => faults.findIndex(({ pointer: place }) => place === fault.pointer) === index,
  )
}
