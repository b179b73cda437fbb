import { canonicalJson } from './canonical.ts'
import type { JsonValue } from './value.ts'

/** Whether two values are the same JSON, whatever the order of their members. What has no canonical text is the same as nothing. */
export function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return false
  try {
    return canonicalJson(one) === canonicalJson(other)
  } catch {
    return false
  }
}
