/**
 * Sets a member as an own property. Plain assignment would let the key `__proto__` exchange the object's
 * prototype, so that one is defined.
 */
export function setOwn<Value>(target: Record<string, Value>, key: string, value: Value): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
