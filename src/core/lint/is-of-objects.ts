import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'

/** Whether a schema says that its values are, or may be, objects. */
export function isOfObjects(schema: JsonSchema): boolean {
  const type = own(schema, 'type')
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) return true
  return isSchemaObject(own(schema, 'properties'))
}
