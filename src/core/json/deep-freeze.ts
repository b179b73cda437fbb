/** Freezes plain data in place, all the way down, and gives it back. What is frozen already is not walked again. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  if (Array.isArray(value)) for (const element of value) deepFreeze(element)
  else freezeMembers(value)
  return value
}

// The log is on the way of every call: a loop over the keys makes no list of them.
function freezeMembers(value: object): void {
  for (const key in value) {
    const member = value[key as keyof typeof value] as unknown
    if (typeof member === 'object' && Object.hasOwn(value, key)) deepFreeze(member)
  }
}
