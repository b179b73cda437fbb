import { isSchemaObject, type JsonSchema } from '../schema/json-schema.ts'
import { innerSchemas } from '../schema/keywords.ts'

/** A schema object and where it stands. */
export interface PlacedSchema {
  readonly schema: JsonSchema
  readonly pointer: string
  /** The keywords on the way to it from the root. */
  readonly keywords: readonly string[]
}

/** A schema and all schema objects inside of it, the outer ones first. */
export function schemasWithin(root: JsonSchema): readonly PlacedSchema[] {
  const found: PlacedSchema[] = [{ schema: root, pointer: '', keywords: [] }]
  for (const { schema, pointer, keywords } of found) {
    for (const inner of innerSchemas(schema, pointer)) {
      if (!isSchemaObject(inner.schema)) continue
      found.push({ schema: inner.schema, pointer: inner.pointer, keywords: [...keywords, inner.keyword] })
    }
  }
  return found
}
