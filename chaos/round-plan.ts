import { type Act, answer, clockAheadMs, drive, type RoundPlan, type Stage } from './act.ts'
import { afterKillOf, toolNames } from './chaos-tools.ts'
import { answerPoints, death } from './death.ts'
import { Dice } from './dice.ts'
import { planSession } from './session-plan.ts'

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
