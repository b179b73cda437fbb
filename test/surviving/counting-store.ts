import { memoryStore, type Store } from '../../src/index.ts'

/** A store that knows how many watches and leases are open. */
export interface CountingStore {
  readonly store: Store
  readonly watches: () => number
}

/** A memory store that counts the watches which were begun and not stopped. */
export function countingStore(): CountingStore {
  const inner = memoryStore()
  let open = 0
  const watch: Store['watch'] = (onChange) => {
    const stop = inner.watch(onChange)
    let isOpen = true
    open += 1
    return () => {
      if (isOpen) open -= 1
      isOpen = false
      stop()
    }
  }
  const store = new Proxy(inner, {
    get: (target, key) => {
      if (key === 'watch') return watch
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store, watches: () => open }
}
