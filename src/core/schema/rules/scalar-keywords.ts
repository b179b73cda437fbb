import type { JsonValue } from '../../json/value.ts'
import type { Rule } from '../frame.ts'
import { given, type KeywordContext, rulesFrom } from './keyword-context.ts'
import { lengthRules, numberRules, patternRule } from './scalar.ts'
import { enumRule, typeRule } from './value.ts'

/** `type`, which is looked at before all others. */
export function typeKeyword(context: KeywordContext): Rule | undefined {
  const type = given<string | readonly string[]>(context, 'type')
  return type === undefined || !context.asserts ? undefined : typeRule(type)
}

/** The keywords of strings and numbers, `enum` and `const`. */
export function scalarKeywords(context: KeywordContext): readonly Rule[] {
  if (!context.asserts) return []
  return [
    ...rulesFrom<never>(context, {
      const: (value: JsonValue) => enumRule([value]),
      enum: (values: readonly JsonValue[]) => enumRule(values),
      pattern: (source: string) => patternRule(source, context.patterns.get(source)!),
    }),
    ...rulesFrom<number>(context, numberRules),
    ...rulesFrom<number>(context, lengthRules),
  ]
}
