import type { ProviderData } from '../core/driver.ts'
import { asJson } from '../core/json/as-json.ts'
import { setOwn } from '../core/json/set-own.ts'
import { isJsonObject, type JsonValue } from '../core/json/value.ts'

type Members = { [key: string]: JsonValue }

/**
 * What a provider attached to a part, as data that a log can hold: by provider, then by key. Values that are not
 * JSON are left out, as is a provider whose data is no object; undefined when nothing is left.
 */
export function toProviderData(metadata: unknown): ProviderData | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined
  const data: { [provider: string]: Members } = {}
  for (const [provider, attached] of Object.entries(metadata)) {
    if (typeof attached !== 'object' || attached === null || Array.isArray(attached)) continue
    setOwn(data, provider, jsonMembers(attached))
  }
  return Object.keys(data).length === 0 ? undefined : data
}

/** The same as the member of a part; none when nothing is left. */
export function withProviderData(metadata: unknown): { readonly provider?: ProviderData } {
  const provider = toProviderData(metadata)
  return provider === undefined ? {} : { provider }
}

/**
 * The same JSON with every `bigint` as the nearest number: a provider writes its request with `JSON.stringify`,
 * which throws on one.
 */
export function withoutBigints(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withoutBigints)
  if (!isJsonObject(value)) return value
  const copy: Members = {}
  for (const [key, member] of Object.entries(value)) setOwn(copy, key, withoutBigints(member))
  return copy
}

function jsonMembers(attached: object): Members {
  const members: Members = {}
  for (const [key, value] of Object.entries(attached)) {
    const json = asJson(value)
    if (json !== undefined) setOwn(members, key, withoutBigints(json))
  }
  return members
}
