import { isJsonArray, type JsonValue } from '../json/value.ts'
import { isSchemaObject, isSubschema, own, type Subschema } from './json-schema.ts'
import { below, SchemaRefusal } from './refusal.ts'
import type { Resource } from './resource.ts'

/** What a reference points to, and where that stands. */
export interface Found {
  readonly schema: Subschema
  readonly pointer: string
}

/** Follows the fragment of a reference (RFC 6901 pointer or anchor) inside a resource. Throws SchemaRefusal. */
export function resolveFragment(
  resource: Resource,
  fragment: string,
  reference: string,
  place: string,
): Found {
  const text = decode(fragment)
  if (text === '') return { schema: resource.root, pointer: resource.pointer }
  const found = text.startsWith('/') ? atPointer(resource, text) : atAnchor(resource, text)
  if (found !== undefined) return found
  const quoted = JSON.stringify(reference)
  throw new SchemaRefusal(
    place,
    `${quoted} points to no schema; a pointer starts at the root of the whole schema`,
  )
}

function atAnchor(resource: Resource, name: string): Found | undefined {
  const schema = resource.anchors.get(name)
  return schema === undefined ? undefined : { schema, pointer: `${resource.pointer}#${name}` }
}

function atPointer(resource: Resource, text: string): Found | undefined {
  let current: JsonValue | undefined = resource.root
  let pointer = resource.pointer
  for (const step of text.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    current = member(current, key)
    if (current === undefined) return undefined
    pointer = below(pointer, key)
  }
  return isSubschema(current) ? { schema: current, pointer } : undefined
}

function member(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isJsonArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
  return isSchemaObject(value) ? own(value, key) : undefined
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
