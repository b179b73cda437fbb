import type { JsonValue } from '../../json/value.ts'
import type { Rule } from '../frame.ts'
import type { JsonSchema, Subschema } from '../json-schema.ts'
import type { Pattern } from '../pattern.ts'

/** What the keywords of one schema are compiled with. The forms of their values are checked already. */
export interface KeywordContext {
  readonly schema: JsonSchema
  /** Whether the dialect has assertions such as `type` and `minimum`. */
  readonly asserts: boolean
  readonly patterns: ReadonlyMap<string, Pattern>
  readonly refTarget: Subschema | undefined
  readonly dynamicTarget: Subschema | undefined
  /** Those of the required names that must not stand for null. */
  notNull(names: readonly string[]): ReadonlySet<string>
  /** The rule of a schema inside this one. */
  rule(schema: Subschema): Rule
  /** The rule of a schema whose fault does not make the value faulty. */
  neutralRule(schema: Subschema): Rule
}

/** A keyword's value, in the form that was checked; undefined when absent. */
export function given<Value>(context: KeywordContext, keyword: string): Value | undefined {
  const { schema } = context
  return Object.hasOwn(schema, keyword) ? (schema[keyword] as JsonValue & Value) : undefined
}

/** The rules of those keywords of a table that a schema has. */
export function rulesFrom<Value>(
  context: KeywordContext,
  table: Readonly<Record<string, (value: Value) => Rule>>,
): readonly Rule[] {
  return Object.keys(table).flatMap((keyword) => {
    const value = given<Value>(context, keyword)
    return value === undefined ? [] : [table[keyword]!(value)]
  })
}
