/**
 * A deep copy of plain data (objects, arrays and primitives). Undefined members are left out, as they are in JSON.
 * It is frozen only once somebody reads it: appends are on the way of every call, and most events are never read again.
 */
export function ownCopy<Value>(value: Value): Value {
  return copied(value) as Value
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? copiedArray(value) : copiedObject(value as Record<string, unknown>)
}

// What is copied in one piece takes as much room as it has members; what is grown member by member takes more.
function copiedArray(value: readonly unknown[]): readonly unknown[] {
  const result: unknown[] = [...value]
  for (let index = 0; index < result.length; index += 1) result[index] = copied(result[index])
  return result
}

function copiedObject(value: Record<string, unknown>): object {
  const result = { ...value }
  for (const key in result) {
    const member = result[key]
    if (member === undefined) delete result[key]
    else if (typeof member === 'object' && Object.hasOwn(result, key)) result[key] = copied(member)
  }
  return result
}
