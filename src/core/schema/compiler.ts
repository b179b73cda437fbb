import type { JsonValue } from '../json/value.ts'
import {
  adopt,
  type Frame,
  fail,
  nestingMax,
  nothingEvaluated,
  OutOfBounds,
  type Rule,
  spend,
} from './frame.ts'
import { type JsonSchema, own, type Subschema } from './json-schema.ts'
import { notNullNames } from './null-rule.ts'
import { hidesSiblings, type Resource } from './resource.ts'
import { arrayKeywords } from './rules/array-keywords.ts'
import { combiningKeywords } from './rules/combining-keywords.ts'
import type { KeywordContext } from './rules/keyword-context.ts'
import { objectKeywords } from './rules/object-keywords.ts'
import { scalarKeywords, typeKeyword } from './rules/scalar-keywords.ts'
import { unevaluatedKeywords } from './rules/unevaluated-keywords.ts'
import type { Survey } from './survey.ts'

/** What a compiled schema is asked to do beyond JSON Schema. */
export interface CompilerOptions {
  /** Whether a required member may not be null unless its schema names null. */
  readonly requiredNotNull: boolean
}

/** Turns the schemas of a survey into rules, each when it is first met. */
export class Compiler {
  readonly survey: Survey
  private readonly options: CompilerOptions
  private readonly positive = new Map<JsonSchema, Rule>()
  private readonly neutral = new Map<JsonSchema, Rule>()

  constructor(survey: Survey, options: CompilerOptions) {
    this.survey = survey
    this.options = options
  }

  /** Whether some schema asks what the others have looked at. */
  get tracksEvaluation(): boolean {
    return [...this.survey.places.keys()].some(
      (schema) => Object.hasOwn(schema, 'unevaluatedItems') || Object.hasOwn(schema, 'unevaluatedProperties'),
    )
  }

  /**
   * The rule of a schema. In a positive place required members must not be null; below `not`, `if` and `contains`,
   * where a stricter rule would let more pass, JSON Schema holds as it is.
   */
  rule(schema: Subschema, isPositive: boolean): Rule {
    if (typeof schema === 'boolean') return schema ? () => true : (_, frame) => fail(frame, 'is not allowed')
    const rules = isPositive ? this.positive : this.neutral
    const known = rules.get(schema)
    if (known !== undefined) return known
    const rule = this.lazyRule(schema, isPositive)
    rules.set(schema, rule)
    return rule
  }

  private lazyRule(schema: JsonSchema, isPositive: boolean): Rule {
    const resource = this.survey.places.get(schema)!.resource
    let parts: Parts | undefined
    return (value, frame) => {
      parts ??= this.parts(this.context(schema, resource, isPositive))
      return applied(parts, value, frame, resource)
    }
  }

  private parts(context: KeywordContext): Parts {
    // What unevaluated keywords ask, all others must have answered.
    const keywords = [scalarKeywords, arrayKeywords, objectKeywords, combiningKeywords, unevaluatedKeywords]
    return { type: typeKeyword(context), others: keywords.flatMap((rulesOf) => rulesOf(context)) }
  }

  private context(schema: JsonSchema, resource: Resource, isPositive: boolean): KeywordContext {
    const { survey } = this
    const isStrict = isPositive && this.options.requiredNotNull
    return {
      schema: hidesSiblings(schema, resource) ? { $ref: own(schema, '$ref')! } : schema,
      asserts: resource.dialect.asserts,
      patterns: survey.patterns,
      refTarget: survey.refTargets.get(schema),
      dynamicTarget: survey.dynamicTargets.get(schema),
      notNull: (names) => (isStrict ? notNullNames(schema, names, survey) : new Set()),
      rule: (inner) => this.rule(inner, isPositive),
      neutralRule: (inner) => this.rule(inner, false),
    }
  }
}

interface Parts {
  readonly type: Rule | undefined
  readonly others: readonly Rule[]
}

function applied(parts: Parts, value: JsonValue, outer: Frame, resource: Resource): boolean {
  const { budget } = outer
  spend(outer, 1)
  budget.nesting += 1
  if (budget.nesting > nestingMax) throw new OutOfBounds()
  const frame = entered(outer, resource)
  const passed = (parts.type?.(value, frame) ?? true) && appliedToKind(parts.others, value, frame)
  if (passed && frame.evaluated !== undefined) adopt(outer, frame)
  budget.nesting -= 1
  return passed
}

/** After a type fault the other keywords would only add noise, so that this is not reached. */
function appliedToKind(rules: readonly Rule[], value: JsonValue, frame: Frame): boolean {
  let passed = true
  for (const rule of rules) {
    passed = rule(value, frame) && passed
    if (!passed && frame.faults === undefined) return false
  }
  return passed
}

function entered(frame: Frame, resource: Resource): Frame {
  const { scope, evaluated } = frame
  if (scope.resource === resource && evaluated === undefined) return frame
  return {
    ...frame,
    scope: scope.resource === resource ? scope : { resource, outer: scope },
    // A schema does not see what the schemas around it have looked at; they see what it has, once it passed.
    evaluated: evaluated && nothingEvaluated(),
  }
}
