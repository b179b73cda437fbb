import type { Rule } from '../frame.ts'
import type { Subschema } from '../json-schema.ts'
import { arraySizeRules, containsRule, restRule, tupleRule, uniqueRule } from './array.ts'
import { given, type KeywordContext, rulesFrom } from './keyword-context.ts'

/** The keywords of arrays, except `unevaluatedItems`. */
export function arrayKeywords(context: KeywordContext): readonly Rule[] {
  return [
    ...(context.asserts ? rulesFrom<number>(context, arraySizeRules) : []),
    ...(context.asserts && given<boolean>(context, 'uniqueItems') ? [uniqueRule] : []),
    ...itemKeywords(context),
    ...containsKeyword(context),
  ]
}

function itemKeywords(context: KeywordContext): readonly Rule[] {
  const items = given<Subschema | readonly Subschema[]>(context, 'items')
  const isTuple = Array.isArray(items)
  const prefix: readonly Subschema[] = isTuple
    ? items
    : (given<readonly Subschema[]>(context, 'prefixItems') ?? [])
  const rest = isTuple ? given<Subschema>(context, 'additionalItems') : (items as Subschema | undefined)
  return [
    ...(prefix.length === 0 ? [] : [tupleRule(prefix.map(context.rule))]),
    ...(rest === undefined ? [] : [restRule(prefix.length, context.rule(rest))]),
  ]
}

function containsKeyword(context: KeywordContext): readonly Rule[] {
  const contains = given<Subschema>(context, 'contains')
  if (contains === undefined) return []
  const least = given<number | bigint>(context, 'minContains') ?? 1
  const most = given<number | bigint>(context, 'maxContains') ?? Number.POSITIVE_INFINITY
  return [containsRule(context.neutralRule(contains), Number(least), Number(most))]
}
