import { isSchemaObject, type JsonSchema, type Subschema } from './json-schema.ts'
import { innerSchemas } from './keywords.ts'
import { SchemaRefusal } from './refusal.ts'
import type { Survey } from './survey.ts'

/**
 * Refuses a schema that refers to itself for the same value, such as `{"$ref":"#"}`: it says nothing, and a check
 * of it would not end. A reference through a member or an element is no loop.
 */
export function refuseLoops(survey: Survey): void {
  const finished = new Set<JsonSchema>()
  for (const schema of survey.places.keys()) visit(schema, survey, new Set(), finished)
}

function visit(schema: JsonSchema, survey: Survey, open: Set<JsonSchema>, finished: Set<JsonSchema>): void {
  if (finished.has(schema)) return
  const pointer = survey.places.get(schema)!.pointer
  if (open.has(schema))
    throw new SchemaRefusal(pointer, 'it refers to itself for the same value, without an end')
  open.add(schema)
  for (const next of sameValue(schema, survey)) visit(next, survey, open, finished)
  open.delete(schema)
  finished.add(schema)
}

function sameValue(schema: JsonSchema, survey: Survey): readonly JsonSchema[] {
  const inner = innerSchemas(schema, '').filter((one) => one.inPlace)
  const all: readonly (Subschema | undefined)[] = [
    ...inner.map((one) => one.schema),
    survey.refTargets.get(schema),
  ]
  return all.filter(isSchemaObject)
}
