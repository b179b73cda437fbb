import { isSchemaObject, type JsonSchema, own, type Subschema } from './json-schema.ts'
import type { Survey } from './survey.ts'

/**
 * The names of `required` that must not stand for null: all but those whose schema names null. Where the keywords
 * of one object are spread over `allOf`, `anyOf`, `$ref` and their like, all of them are looked at.
 */
export function notNullNames(
  schema: JsonSchema,
  names: readonly string[],
  survey: Survey,
): ReadonlySet<string> {
  const whole = outermost(schema, survey)
  return new Set(
    names.filter((name) => !memberSchemas(whole, name, survey).some((one) => namesNull(one, survey))),
  )
}

/** Whether a schema names null: by type, enum or const, in itself, a branch or a target. */
export function namesNull(schema: Subschema, survey: Survey): boolean {
  return sameValueSchemas(schema, survey).some((one) => {
    const [type, values] = [own(one, 'type'), own(one, 'enum')]
    const isTyped = type === 'null' || (Array.isArray(type) && type.includes('null'))
    return isTyped || own(one, 'const') === null || (Array.isArray(values) && values.includes(null))
  })
}

function outermost(schema: JsonSchema, survey: Survey): JsonSchema {
  let whole = schema
  for (
    let next = survey.places.get(whole)?.around;
    next !== undefined;
    next = survey.places.get(whole)?.around
  )
    whole = next
  return whole
}

function memberSchemas(whole: JsonSchema, name: string, survey: Survey): readonly Subschema[] {
  return sameValueSchemas(whole, survey).flatMap((one) => {
    const named = membersNamed(one, name, survey)
    const additional = own(one, 'additionalProperties')
    return named.length === 0 && isSchemaObject(additional) ? [additional] : named
  })
}

function membersNamed(schema: JsonSchema, name: string, survey: Survey): readonly Subschema[] {
  const [properties, keyed] = [own(schema, 'properties'), own(schema, 'patternProperties')]
  const exact = isSchemaObject(properties) ? own(properties, name) : undefined
  const matching = isSchemaObject(keyed)
    ? Object.keys(keyed).filter((pattern) => survey.patterns.get(pattern)?.test(name))
    : []
  const members = [
    exact,
    ...matching.map((pattern) => (isSchemaObject(keyed) ? own(keyed, pattern) : undefined)),
  ]
  return members.filter((one): one is Subschema => one !== undefined)
}

const branches = ['allOf', 'anyOf', 'oneOf'] as const
const conditions = ['then', 'else'] as const

/** A schema and all that it draws in for the same value, except what it negates or only asks. */
function sameValueSchemas(schema: Subschema, survey: Survey): readonly JsonSchema[] {
  const found = new Set<JsonSchema>()
  const open: unknown[] = [schema]
  while (open.length > 0) {
    const next = open.pop()
    if (!isSchemaObject(next) || found.has(next)) continue
    found.add(next)
    open.push(survey.refTargets.get(next), survey.dynamicTargets.get(next))
    for (const keyword of conditions) open.push(own(next, keyword))
    for (const keyword of branches) {
      const listed = own(next, keyword)
      if (Array.isArray(listed)) open.push(...listed)
    }
    const dependent = own(next, 'dependentSchemas')
    if (isSchemaObject(dependent)) open.push(...Object.values(dependent))
  }
  return [...found]
}
