import { setOwn } from '../../core/json/set-own.ts'

/**
 * A deep copy of plain data (objects, arrays and primitives) that nobody can change: copied and frozen in one pass,
 * since the log is on the way of every call. Undefined members are left out, as they are in JSON.
 */
export function frozenCopy<Value>(value: Value): Value {
  return copied(value) as Value
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? copiedArray(value) : copiedObject(value as Record<string, unknown>)
}

function copiedArray(value: readonly unknown[]): readonly unknown[] {
  const result: unknown[] = []
  for (let index = 0; index < value.length; index += 1) result.push(copied(value[index]))
  return Object.freeze(result)
}

function copiedObject(value: Record<string, unknown>): object {
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (member === undefined) continue
    setOwn(result, key, typeof member === 'object' ? copied(member) : member)
  }
  return Object.freeze(result)
}
