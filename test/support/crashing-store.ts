import type { Append, Event, Store } from '../../src/index.ts'

/**
 * A store through which nothing more can be written once an event of this kind has been (or, with `before`, instead
 * of it): what a process looks like from outside after it was killed.
 */
export function crashingStore(
  store: Store,
  type: Event['type'],
  when: 'before' | 'after',
): { store: Store; crashed: Promise<void> } {
  let dead = false
  let tell: () => void = () => undefined
  const crashed = new Promise<void>((resolve) => {
    tell = resolve
  })
  const die = () => {
    dead = true
    tell()
    return new Promise<never>(() => undefined)
  }
  const append = async (what: Append) => {
    if (dead) return await new Promise<never>(() => undefined)
    const hit = what.streams.some(({ events }) => events.some(({ event }) => event.type === type))
    if (hit && when === 'before') return await die()
    const result = await store.append(what)
    if (hit && result.ok) return await die()
    return result
  }
  const guarded = new Proxy(store, {
    get: (target, key) => {
      if (key === 'append') return append
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store: guarded, crashed }
}
