import { afterKillOf, toolNames } from './chaos-tools.ts'
import { Dice } from './dice.ts'
import type { PointKill, PointKind } from './kill-points.ts'
import type { AnswerOrder, DriveOrder } from './orders.ts'
import { planSession, type SessionPlan } from './session-plan.ts'

/** How a worker dies: at a point, or so long after it had passed its first point. */
export interface Death {
  readonly kill?: PointKill
  readonly afterMs?: number
}

/** One worker of an act: what it does and how it dies, if it does; it may wait until the first of the act has begun. */
export type Part = Death & { readonly waitsForFirst?: true } & (
    | (Omit<DriveOrder, 'place' | 'kill'> & { readonly role: 'starter' | 'resumer' | 'rival' | 'usurper' })
    | (Omit<AnswerOrder, 'place' | 'kill'> & { readonly role: 'answerer' })
  )

/** Workers that are at work at once; the next act begins when all of them have come to an end. */
export type Act = readonly Part[]

export interface RoundPlan {
  readonly seed: number
  readonly sessions: readonly SessionPlan[]
  readonly acts: readonly Act[]
}

/** Beyond the length of any lease, those included that were taken over from the dead again and again. */
const clockAheadMs = 600_000

/** What a round does; the same seed plans the same. */
export function planRound(seed: number): RoundPlan {
  const dice = new Dice(seed)
  const sessions = Array.from({ length: dice.whole(1, 3) }, (_value, index) =>
    planSession(dice, `${'abc'[index]}`),
  )
  const stage: Stage = { dice, sessions }
  const first: Act = [
    drive(stage, 'starter', { asks: dice.pick(['suspend', 'answer', 'answer']), ...death(dice, 0.9) }),
  ]
  const later = Array.from({ length: dice.whole(2, 4) }, (_value, index) => planActs(stage, index + 1)).flat()
  const acts = [dice.chance(0.2) ? [...first, drive(stage, 'rival', death(dice, 0.5))] : first, ...later]
  return { seed, sessions, acts }
}

interface Stage {
  readonly dice: Dice
  readonly sessions: readonly SessionPlan[]
}

function planActs(stage: Stage, index: number): readonly Act[] {
  const { dice } = stage
  if (dice.chance(0.15)) return lookUpActs(stage)
  const plan = dice.weighed<(stage: Stage, index: number) => Act>([
    [4, resumeAct],
    [2, rivalAct],
    [3, answerAct],
    [2, waitingAct],
    [1, usurpingAct],
  ])
  return [plan(stage, index)]
}

/** One dies around an effect that can be looked up, and the next one while it looks. */
function lookUpActs(stage: Stage): readonly Act[] {
  const { dice } = stage
  const at = dice.pick(['before effect', 'after effect'] as const)
  const of = toolNames.filter((name) => afterKillOf(name).startsWith('looked up'))
  return [
    [drive(stage, 'resumer', { asks: 'answer', kill: { at, pass: 1, of } })],
    [drive(stage, 'resumer', { asks: 'answer', kill: { at: 'in reconcile', pass: 1 } })],
  ]
}

function resumeAct(stage: Stage): Act {
  const { dice } = stage
  return [drive(stage, 'resumer', { asks: dice.pick(['suspend', 'answer', 'answer']), ...death(dice, 0.85) })]
}

/** Two processes try to resume the same sessions at once. */
function rivalAct(stage: Stage): Act {
  const { dice } = stage
  return [
    drive(stage, 'resumer', { asks: 'answer', ...death(dice, 0.6) }),
    drive(stage, 'rival', { asks: 'answer', ...death(dice, 0.6) }),
  ]
}

/** Two give different answers to the same asks at once. */
function answerAct(stage: Stage, index: number): Act {
  const { dice } = stage
  const orderSeed = dice.whole(1, 1_000_000)
  const otherOrder = dice.chance(0.5) ? orderSeed : dice.whole(1, 1_000_000)
  return [
    answer(stage, `${index}.1`, { orderSeed, ...death(dice, 0.25, answerPoints) }),
    answer(stage, `${index}.2`, { orderSeed: otherOrder, ...death(dice, 0.25, answerPoints) }),
  ]
}

/** One drives and waits for answers, which come from two others; one of these lives. */
function waitingAct(stage: Stage, index: number): Act {
  const { dice } = stage
  const orderSeed = dice.whole(1, 1_000_000)
  return [
    drive(stage, 'resumer', { asks: 'wait', ...death(dice, 0.6) }),
    answer(stage, `${index}.1`, { orderSeed, goesOn: true }),
    answer(stage, `${index}.2`, { orderSeed, goesOn: true, ...death(dice, 0.4, answerPoints) }),
  ]
}

/** One drives, and another takes over from it while it lives, as after a lease that has run out. */
function usurpingAct(stage: Stage): Act {
  const { dice } = stage
  return [
    drive(stage, 'resumer', { asks: 'answer', turnsMax: 2_000, ...death(dice, 0.3) }),
    drive(stage, 'usurper', { asks: 'answer', clockAheadMs, waitsForFirst: true, ...death(dice, 0.3) }),
  ]
}

function drive(
  { dice, sessions }: Stage,
  role: 'starter' | 'resumer' | 'rival' | 'usurper',
  facts: Partial<Pick<DriveOrder, 'asks' | 'clockAheadMs' | 'turnsMax'>> &
    Pick<Part, keyof Death | 'waitsForFirst'>,
): Part {
  const seed = dice.whole(1, 1_000_000_000)
  return { do: 'drive', role, seed, sessions, asks: 'suspend', clockAheadMs: 0, turnsMax: 3, ...facts }
}

function answer(
  { dice, sessions }: Stage,
  name: string,
  facts: Partial<Pick<AnswerOrder, 'goesOn'>> & Pick<AnswerOrder, 'orderSeed'> & Death,
): Part {
  const seed = dice.whole(1, 1_000_000_000)
  const reconciles = dice.chance(0.3)
  return { do: 'answer', role: 'answerer', name, seed, sessions, goesOn: false, reconciles, ...facts }
}

type Weights = readonly (readonly [weight: number, kind: PointKind])[]

const answerPoints: Weights = [
  [1, 'before append'],
  [1, 'after append'],
  [1, 'before acknowledgement'],
  [1, 'after acknowledgement'],
]

const drivePoints: Weights = [
  [3, 'before append'],
  [3, 'after append'],
  [3, 'before effect'],
  [3, 'after effect'],
  [1, 'after lease'],
  [1, 'before release'],
  [1, 'in reconcile'],
]

/** Most often at a point; now and then at any moment of the first fifty milliseconds, the early ones more often. */
function death(dice: Dice, probability: number, kinds: Weights = drivePoints): Death {
  if (!dice.chance(probability)) return {}
  if (dice.chance(0.35)) return { afterMs: 50 * dice.roll() ** 1.5 }
  const at = dice.weighed(kinds)
  const passMax = at === 'before append' || at === 'after append' ? 6 : at.endsWith('effect') ? 4 : 2
  return { kill: { at, pass: 1 + Math.floor(dice.roll() ** 1.5 * passMax) } }
}
