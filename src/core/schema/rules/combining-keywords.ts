import type { Frame, Rule, Scope } from '../frame.ts'
import { isSchemaObject, type JsonSchema, own, type Subschema } from '../json-schema.ts'
import { given, type KeywordContext, rulesFrom } from './keyword-context.ts'
import { allOfRule, anyOfRule, conditionRule, notRule, oneOfRule } from './union.ts'

/** The keywords that draw other schemas in for the same value. */
export function combiningKeywords(context: KeywordContext): readonly Rule[] {
  const { rule, neutralRule, refTarget } = context
  return [
    ...(refTarget === undefined ? [] : [rule(refTarget)]),
    ...dynamicKeyword(context),
    ...rulesFrom<never>(context, {
      allOf: (schemas: readonly Subschema[]) => allOfRule(schemas.map(rule)),
      anyOf: (schemas: readonly Subschema[]) => anyOfRule(schemas.map(rule)),
      oneOf: (schemas: readonly Subschema[]) => oneOfRule(schemas.map(rule)),
      not: (schema: Subschema) => notRule(neutralRule(schema)),
      if: (schema: Subschema) =>
        conditionRule(neutralRule(schema), branch(context, 'then'), branch(context, 'else')),
    }),
  ]
}

function branch(context: KeywordContext, keyword: 'then' | 'else'): Rule {
  return context.rule(given<Subschema>(context, keyword) ?? true)
}

/** `$dynamicRef`: the outermost resource on the way that has the anchor wins, if the first target has it at all. */
function dynamicKeyword(context: KeywordContext): readonly Rule[] {
  const { dynamicTarget, rule } = context
  if (dynamicTarget === undefined) return []
  const anchor = isSchemaObject(dynamicTarget) ? own(dynamicTarget, '$dynamicAnchor') : undefined
  const isDynamic =
    typeof anchor === 'string' && given<string>(context, '$dynamicRef')?.endsWith(`#${anchor}`)
  if (!isDynamic) return [rule(dynamicTarget)]
  return [(value, frame: Frame) => rule(outermost(frame.scope, anchor) ?? dynamicTarget)(value, frame)]
}

function outermost(scope: Scope | undefined, anchor: string): JsonSchema | undefined {
  if (scope === undefined) return undefined
  return outermost(scope.outer, anchor) ?? scope.resource.dynamicAnchors.get(anchor)
}
