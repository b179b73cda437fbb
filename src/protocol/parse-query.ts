import { setOwn } from '../core/json/set-own.ts'
import type { JsonValue } from '../core/json/value.ts'
import { type Fault, faultAt } from '../core/schema/fault.ts'
import { isSchemaObject, own } from '../core/schema/json-schema.ts'
import { below } from '../core/schema/refusal.ts'
import type { Body } from './body.ts'
import { type BodyResult, parseBody } from './parse-body.ts'

/**
 * Reads a query as the filters that a body describes: numbers and booleans are written as in JSON. A name that stands
 * twice is a fault, as is one that the schema does not have.
 */
export function parseQuery<Value>(body: Body<Value>, query: URLSearchParams): BodyResult<Value> {
  const members: Record<string, JsonValue> = {}
  const faults: Fault[] = []
  for (const [name, text] of query) {
    if (Object.hasOwn(members, name)) faults.push(faultAt(below('', name), 'stands twice'))
    setOwn(members, name, scalar(typeOf(body, name), text))
  }
  return faults.length > 0 ? { ok: false, faults } : parseBody(body, members)
}

/** Writes filters as a query that `parseQuery` reads: with `?`, or empty when there is none. */
export function formatQuery(filters: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) query.append(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

function typeOf(body: Body<unknown>, name: string): JsonValue | undefined {
  const properties = own(body.schema, 'properties')
  const member = isSchemaObject(properties) ? own(properties, name) : undefined
  return isSchemaObject(member) ? own(member, 'type') : undefined
}

function scalar(type: JsonValue | undefined, text: string): JsonValue {
  if (type === 'integer' && /^(0|[1-9][0-9]{0,14})$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
