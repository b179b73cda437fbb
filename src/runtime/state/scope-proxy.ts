import { ToolpostError } from '../../core/error.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { Values } from '../../core/run/state.ts'
import type { StateScope } from '../../core/tool/tool-state.ts'

/** What a scope is read and written by. */
export interface ScopeAccess {
  readonly values: Values
  update(given: unknown): Promise<void>
}

function valueIn(values: Values, key: PropertyKey): JsonValue | undefined {
  return typeof key === 'string' && Object.hasOwn(values, key) ? values[key] : undefined
}

function change(access: ScopeAccess, key: PropertyKey, value: unknown): true {
  if (typeof key !== 'string') throw new ToolpostError('INVALID_ARGUMENT', 'A key of the state is a text.')
  access.update({ [key]: value })
  return true
}

/**
 * A scope as an object: its keys are the scope's values, so that it is read, assigned to and deleted from like any
 * other, and shows nothing else when it is listed. `more` are members beside those of every scope.
 */
export function scopeProxy(access: ScopeAccess, more: object = {}): StateScope {
  const members: object = Object.defineProperties(
    {
      get values() {
        return access.values
      },
      get: (key: string) => valueIn(access.values, key),
      update: (changes: unknown) => access.update(changes),
    },
    Object.getOwnPropertyDescriptors(more),
  )
  return new Proxy(Object.create(null) as StateScope, {
    get: (_target, key) =>
      Object.hasOwn(members, key) ? Reflect.get(members, key) : valueIn(access.values, key),
    has: (_target, key) => Object.hasOwn(members, key) || valueIn(access.values, key) !== undefined,
    set: (_target, key, value) => change(access, key, value),
    deleteProperty: (_target, key) => change(access, key, undefined),
    ownKeys: () => Object.keys(access.values),
    getOwnPropertyDescriptor: (_target, key) => {
      const value = valueIn(access.values, key)
      if (value === undefined) return undefined
      return { value, enumerable: true, configurable: true, writable: true }
    },
    defineProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  })
}
