import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'
import { below } from '../schema/refusal.ts'
import type { SchemaFinding } from './finding.ts'
import { rootFindings } from './root-rules.ts'
import { type PlacedSchema, schemasWithin } from './walk-schema.ts'

const memberName = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * What Anthropic's Messages API does with a tool's schema, by its reference and the errors that it answers with: it
 * checks the root, the names of the root's members, and that the whole is a schema of 2020-12.
 */
export function anthropicFindings(schema: JsonSchema): readonly SchemaFinding[] {
  return [
    ...rootFindings(schema, 'Anthropic', ['oneOf', 'anyOf', 'allOf']),
    ...memberNames(schema),
    ...schemasWithin(schema).flatMap(tuple),
  ]
}

function memberNames(schema: JsonSchema): SchemaFinding[] {
  const properties = own(schema, 'properties')
  if (!isSchemaObject(properties)) return []
  const wrong = Object.keys(properties).filter((name) => !memberName.test(name))
  return wrong.map((name) => ({
    pointer: below('/properties', name),
    keyword: 'properties',
    effect: 'refused',
    says: `Anthropic takes names of 1 to 64 ASCII letters, digits, "_", "." and "-" at the root, so it refuses the member ${JSON.stringify(name)}, which is sent as it is; rename it.`,
  }))
}

function tuple({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  if (!Array.isArray(own(schema, 'items'))) return []
  return [
    {
      pointer: below(pointer, 'items'),
      keyword: 'items',
      effect: 'refused',
      says: 'Anthropic takes schemas of 2020-12 and refuses an array of "items", which is sent as it is; write "prefixItems".',
    },
  ]
}
