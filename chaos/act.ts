import type { Death } from './death.ts'
import type { Dice } from './dice.ts'
import type { AnswerOrder, DriveOrder, TimeOrder } from './orders.ts'
import type { SessionPlan } from './session-plan.ts'

/** One worker of an act: what it does and how it dies, if it does; it may wait until the first of the act has begun. */
export type Part = Death & { readonly waitsForFirst?: true } & (
    | (Omit<DriveOrder, 'place' | 'kill'> & { readonly role: 'starter' | 'resumer' | 'rival' | 'usurper' })
    | (Omit<AnswerOrder, 'place' | 'kill'> & { readonly role: 'answerer' })
    | (Omit<TimeOrder, 'place' | 'kill'> & { readonly role: 'timekeeper' })
  )

/** Workers that are at work at once; the next act begins when all of them have come to an end. */
export type Act = readonly Part[]

export interface RoundPlan {
  readonly seed: number
  readonly sessions: readonly SessionPlan[]
  readonly acts: readonly Act[]
}

/** Beyond the length of any lease, those included that were taken over from the dead again and again. */
export const clockAheadMs = 600_000

/** What acts are planned from. */
export interface Stage {
  readonly dice: Dice
  readonly sessions: readonly SessionPlan[]
}

/** One that drives. */
export function drive(
  { dice, sessions }: Stage,
  role: 'starter' | 'resumer' | 'rival' | 'usurper',
  facts: Partial<Pick<DriveOrder, 'asks' | 'clockAheadMs' | 'turnsMax'>> &
    Pick<Part, keyof Death | 'waitsForFirst'>,
): Part {
  const seed = dice.whole(1, 1_000_000_000)
  return { do: 'drive', role, seed, sessions, asks: 'suspend', clockAheadMs: 0, turnsMax: 3, ...facts }
}

/** One that answers. */
export function answer(
  { dice, sessions }: Stage,
  name: string,
  facts: Partial<Pick<AnswerOrder, 'goesOn'>> & Pick<AnswerOrder, 'orderSeed'> & Death,
): Part {
  const seed = dice.whole(1, 1_000_000_000)
  const reconciles = dice.chance(0.3)
  return { do: 'answer', role: 'answerer', name, seed, sessions, goesOn: false, reconciles, ...facts }
}

/** One that does what is due by the clock. */
export function tend(
  { dice, sessions }: Stage,
  facts: Partial<Pick<TimeOrder, 'goesOn' | 'clockAheadMs'>> & Death,
): Part {
  const seed = dice.whole(1, 1_000_000_000)
  const takesUpAll = dice.chance(0.4)
  const own = { do: 'tend', role: 'timekeeper', goesOn: false, clockAheadMs: 0, turnsMax: 3 } as const
  return { ...own, seed, sessions, takesUpAll, ...facts }
}
