import type { Clock } from '../core/clock.ts'
import type { IdKind, IdSource } from '../core/id.ts'
import type { Store } from '../core/store.ts'
import type { RuntimeParts } from './parts.ts'

/** A platform's timer counts milliseconds in 32 bits, and one beyond them is due at once. */
const longestTimerMs = 2_147_483_647

/** The real time. A sleep keeps no more than its own timer, and takes its listener back. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      let timer: ReturnType<typeof setTimeout>
      const sleepOn = (leftMs: number) => {
        timer = setTimeout(
          () => {
            if (leftMs > longestTimerMs) return sleepOn(leftMs - longestTimerMs)
            signal?.removeEventListener('abort', stop)
            resolve()
          },
          Math.min(leftMs, longestTimerMs),
        )
      }
      sleepOn(durationMs)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const idLength = 20
/** Random bytes are drawn for many ids at once: asking the system costs more than making an id. */
const pool = new Uint8Array(idLength * 64)
let poolUsed = pool.length

/** Ids of 100 random bits: `call_` and twenty characters without look-alikes. */
export const randomIds: IdSource = {
  next: (kind: IdKind) => {
    if (poolUsed === pool.length) {
      crypto.getRandomValues(pool)
      poolUsed = 0
    }
    let id = `${kind}_`
    for (const end = poolUsed + idLength; poolUsed < end; poolUsed += 1) id += alphabet[pool[poolUsed]! & 31]
    return id
  },
}

/** The parts of a real process over a store. */
export function systemParts(store: Store): RuntimeParts {
  const owner = { name: randomIds.next('owner'), hasEnded: () => false }
  return { store, clock: systemClock, ids: randomIds, random: Math.random, owner }
}
