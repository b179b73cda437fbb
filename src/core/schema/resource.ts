import type { Dialect } from './dialect.ts'
import type { JsonSchema, Subschema } from './json-schema.ts'

/** A schema with a URI of its own, and the anchors in it. */
export interface Resource {
  readonly uri: string
  readonly root: Subschema
  readonly pointer: string
  readonly dialect: Dialect
  readonly anchors: Map<string, JsonSchema>
  readonly dynamicAnchors: Map<string, JsonSchema>
}

/** Where a schema object stands. */
export interface Place {
  readonly resource: Resource
  readonly pointer: string
  /** The schema around it that sees the same value (through `allOf`, `anyOf` and their like). */
  readonly around: JsonSchema | undefined
}

/** Whether the siblings of a `$ref` are void here. */
export function hidesSiblings(schema: JsonSchema, resource: Resource): boolean {
  return resource.dialect.refHidesSiblings && Object.hasOwn(schema, '$ref')
}

/** A resource without anchors yet. */
export function newResource(uri: string, root: Subschema, pointer: string, dialect: Dialect): Resource {
  return { uri, root, pointer, dialect, anchors: new Map(), dynamicAnchors: new Map() }
}
