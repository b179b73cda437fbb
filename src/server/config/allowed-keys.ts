import { isSchemaObject, type JsonSchema, own } from '../../core/schema/json-schema.ts'

/** The keys that a schema lists for the object at a JSON pointer; undefined when it lists none. */
export function allowedKeys(schema: JsonSchema, pointer: string): readonly string[] | undefined {
  let at: JsonSchema = schema
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const properties = own(at, 'properties')
    const member = isSchemaObject(properties) ? own(properties, key) : undefined
    const below = member ?? own(at, 'items') ?? own(at, 'additionalProperties')
    if (!isSchemaObject(below)) return undefined
    at = below
  }
  const properties = own(at, 'properties')
  return isSchemaObject(properties) ? Object.keys(properties) : undefined
}
