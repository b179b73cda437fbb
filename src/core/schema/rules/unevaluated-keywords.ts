import type { Rule } from '../frame.ts'
import type { Subschema } from '../json-schema.ts'
import { unevaluatedItemsRule } from './array.ts'
import { type KeywordContext, rulesFrom } from './keyword-context.ts'
import { unevaluatedPropertiesRule } from './object.ts'

/** The keywords that ask what all others have looked at. */
export function unevaluatedKeywords(context: KeywordContext): readonly Rule[] {
  return rulesFrom<Subschema>(context, {
    unevaluatedItems: (schema) => unevaluatedItemsRule(context.rule(schema)),
    unevaluatedProperties: (schema) => unevaluatedPropertiesRule(context.rule(schema)),
  })
}
