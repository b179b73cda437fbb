import { type JsonSchema, own } from '../schema/json-schema.ts'

/**
 * A tool's input schema as a model's provider is sent it. OpenAI and Anthropic refuse a root without
 * `"type": "object"`, and OpenAI one without `properties`; arguments are an object in any case, so that naming
 * both changes nothing. All else is sent as it stands: free-form objects stay free, optional members optional.
 */
export function sentSchema(schema: JsonSchema): JsonSchema {
  const type = own(schema, 'type')
  if (type !== undefined && type !== 'object') return schema
  if (type !== undefined && Object.hasOwn(schema, 'properties')) return schema
  return {
    ...(type === undefined && { type: 'object' }),
    ...schema,
    ...(!Object.hasOwn(schema, 'properties') && { properties: {} }),
  }
}
