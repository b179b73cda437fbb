import { type JsonSchema, own } from '../schema/json-schema.ts'
import type { SchemaFinding } from './finding.ts'

/**
 * What a provider refuses at the root of an input schema: another type than the word "object", and the keywords
 * that it bars there. From the errors that OpenAI and Anthropic answer with.
 */
export function rootFindings(
  schema: JsonSchema,
  provider: string,
  barred: readonly string[],
): readonly SchemaFinding[] {
  const typed: SchemaFinding[] =
    own(schema, 'type') === 'object'
      ? []
      : [
          {
            pointer: '/type',
            keyword: 'type',
            effect: 'refused',
            says: `${provider} takes only "object" as the type of the root; it is sent as it is and the request is refused.`,
          },
        ]
  const named = barred.filter((keyword) => Object.hasOwn(schema, keyword))
  return [
    ...typed,
    ...named.map(
      (keyword): SchemaFinding => ({
        pointer: `/${keyword}`,
        keyword,
        effect: 'refused',
        says: `${provider} refuses "${keyword}" at the root; it is sent as it is, so move it below a property.`,
      }),
    ),
  ]
}
