import type { Dice } from './dice.ts'
import type { PointKill, PointKind } from './kill-points.ts'

/** How a worker dies: at a point, or so long after it had passed its first point. */
export interface Death {
  readonly kill?: PointKill
  readonly afterMs?: number
}

type Weights = readonly (readonly [weight: number, kind: PointKind])[]

export const answerPoints: Weights = [
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
export function death(dice: Dice, probability: number, kinds: Weights = drivePoints): Death {
  if (!dice.chance(probability)) return {}
  if (dice.chance(0.35)) return { afterMs: 50 * dice.roll() ** 1.5 }
  const at = dice.weighed(kinds)
  const passMax = at.endsWith('append') ? 6 : at.endsWith('effect') ? 4 : 2
  return { kill: { at, pass: 1 + Math.floor(dice.roll() ** 1.5 * passMax) } }
}

/** What is written in trees, as the points name it. */
const written = [
  ...['start of session', 'start of run', 'start of child', 'claim', 'claim given back', 'outcome'],
  ...['ask', 'question', 'answer', 'end of run'],
]

/** In a tree: around a write of a kind, around an effect, around any write at all, at another point, or at any moment. */
export function deathInTree(dice: Dice, probability: number): Death {
  if (!dice.chance(probability)) return {}
  const how = dice.roll()
  if (how < 0.15) return { afterMs: 400 * dice.roll() ** 1.5 }
  const at = dice.pick(['before append', 'after append'] as const)
  const pass = (most: number) => 1 + Math.floor(dice.roll() ** 1.5 * most)
  if (how < 0.45) return { kill: { at, pass: pass(4), of: [dice.pick(written)] } }
  if (how < 0.7) return { kill: { at: dice.pick(['before effect', 'after effect']), pass: pass(6) } }
  if (how < 0.85) return { kill: { at, pass: pass(30) } }
  return death(dice, 1)
}
