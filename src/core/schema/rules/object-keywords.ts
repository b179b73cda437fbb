import type { JsonValue } from '../../json/value.ts'
import type { Rule } from '../frame.ts'
import { isSubschema, type Subschema } from '../json-schema.ts'
import { given, type KeywordContext, rulesFrom } from './keyword-context.ts'
import {
  additionalRule,
  dependentRequiredRule,
  dependentSchemaRule,
  objectSizeRules,
  patternPropertiesRule,
  propertiesRule,
  propertyNamesRule,
  requiredRule,
} from './object.ts'

type SchemaMap = Readonly<Record<string, Subschema>>

/** The keywords of objects, except `unevaluatedProperties`. */
export function objectKeywords(context: KeywordContext): readonly Rule[] {
  const names = (context.asserts && given<readonly string[]>(context, 'required')) || []
  const notNull = context.notNull(names)
  return [
    ...(names.length === 0 ? [] : [requiredRule(names, notNull)]),
    ...(context.asserts ? rulesFrom<number>(context, objectSizeRules) : []),
    ...memberKeywords(context, notNull),
    ...dependencyKeywords(context),
  ]
}

function memberKeywords(context: KeywordContext, notNull: ReadonlySet<string>): readonly Rule[] {
  const properties = Object.entries(given<SchemaMap>(context, 'properties') ?? {})
  const keyed = Object.entries(given<SchemaMap>(context, 'patternProperties') ?? {})
  const patterns = keyed.map(([source]) => context.patterns.get(source)!)
  const additional = given<Subschema>(context, 'additionalProperties')
  const propertyNames = given<Subschema>(context, 'propertyNames')
  const rules = new Map(properties.map(([name, schema]) => [name, context.rule(schema)]))
  return [
    ...(properties.length === 0 ? [] : [propertiesRule(rules, notNull)]),
    ...(keyed.length === 0
      ? []
      : [patternPropertiesRule(keyed.map(([, schema], index) => [patterns[index]!, context.rule(schema)]))]),
    ...(additional === undefined
      ? []
      : [additionalRule(context.rule(additional), new Set(rules.keys()), patterns)]),
    ...(propertyNames === undefined ? [] : [propertyNamesRule(context.rule(propertyNames))]),
  ]
}

function dependencyKeywords(context: KeywordContext): readonly Rule[] {
  const bySchema = Object.entries(given<SchemaMap>(context, 'dependentSchemas') ?? {})
  const byNames = Object.entries(given<Record<string, readonly string[]>>(context, 'dependentRequired') ?? {})
  const either = Object.entries(given<Record<string, JsonValue>>(context, 'dependencies') ?? {})
  const pairs: readonly [string, JsonValue][] = [...bySchema, ...(context.asserts ? byNames : []), ...either]
  return pairs.map(([name, needed]) =>
    isSubschema(needed)
      ? dependentSchemaRule(name, context.rule(needed))
      : dependentRequiredRule(name, needed as readonly string[]),
  )
}
