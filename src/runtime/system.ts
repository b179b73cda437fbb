import { type Clock, sleepBy } from '../core/clock.ts'
import type { IdKind, IdSource } from '../core/id.ts'
import type { Store } from '../core/store.ts'
import type { RuntimeParts } from './parts.ts'

/** A platform's timer counts milliseconds in 32 bits, and one beyond them is due at once. */
const longestTimerMs = 2_147_483_647

function systemTimer(durationMs: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const waitFor = (leftMs: number) => {
    const goOn = leftMs > longestTimerMs ? () => waitFor(leftMs - longestTimerMs) : action
    timer = setTimeout(goOn, Math.min(leftMs, longestTimerMs))
  }
  waitFor(durationMs)
  return () => clearTimeout(timer)
}

/** The real time. */
export const systemClock: Clock = { now: () => Date.now(), timer: systemTimer, sleep: sleepBy(systemTimer) }

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
