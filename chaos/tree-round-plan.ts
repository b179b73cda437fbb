import { type Act, answer, clockAheadMs, drive, type RoundPlan, type Stage, tend } from './act.ts'
import { answerPoints, death, deathInTree } from './death.ts'
import { Dice } from './dice.ts'
import { planTree } from './tree-plan.ts'

/** What a round of trees does; the same seed plans the same. */
export function planTreeRound(seed: number): RoundPlan {
  const dice = new Dice(seed)
  const sessions = Array.from(
    {
      length: dice.weighed([
        [3, 1],
        [1, 2],
      ]),
    },
    (_value, index) => planTree(dice, `${'ab'[index]}`),
  )
  const stage: Stage = { dice, sessions }
  const first: Act = [drive(stage, 'starter', { asks: asks(dice), ...deathInTree(dice, 0.9) })]
  const later = Array.from({ length: dice.whole(2, 5) }, (_value, index) => planAct(stage, index + 1))
  return { seed, sessions, acts: [first, ...later] }
}

function asks(dice: Dice): 'suspend' | 'answer' {
  return dice.pick(['suspend', 'answer', 'answer'])
}

function planAct(stage: Stage, index: number): Act {
  const plan = stage.dice.weighed<(stage: Stage, index: number) => Act>([
    [4, resumeAct],
    [2, rivalAct],
    [3, answerAct],
    [3, waitingAct],
    [3, timeAct],
    [1, usurpingAct],
    [1, muchLaterAct],
  ])
  return plan(stage, index)
}

function resumeAct(stage: Stage): Act {
  const { dice } = stage
  return [drive(stage, 'resumer', { asks: asks(dice), ...deathInTree(dice, 0.85) })]
}

/** Two processes try to resume the same trees at once, and a third may answer. */
function rivalAct(stage: Stage, index: number): Act {
  const { dice } = stage
  const both = [
    drive(stage, 'resumer', { asks: asks(dice), ...deathInTree(dice, 0.7) }),
    drive(stage, 'rival', { asks: asks(dice), ...deathInTree(dice, 0.7) }),
  ]
  return dice.chance(0.5)
    ? [...both, answer(stage, `${index}.1`, { orderSeed: index, ...death(dice, 0.2, answerPoints) })]
    : both
}

/** Two give different answers to the same asks at once, in orders of their own; a timekeeper may be beside them. */
function answerAct(stage: Stage, index: number): Act {
  const { dice } = stage
  const both = [1, 2].map((number) =>
    answer(stage, `${index}.${number}`, {
      orderSeed: dice.whole(1, 1_000_000),
      ...death(dice, 0.25, answerPoints),
    }),
  )
  return dice.chance(0.4) ? [...both, tend(stage, deathInTree(dice, 0.3))] : both
}

/** One drives and waits for answers, which come from two others; one of these lives. */
function waitingAct(stage: Stage, index: number): Act {
  const { dice } = stage
  const orderSeed = dice.whole(1, 1_000_000)
  return [
    drive(stage, 'resumer', { asks: 'wait', ...deathInTree(dice, 0.7) }),
    answer(stage, `${index}.1`, { orderSeed, goesOn: true }),
    answer(stage, `${index}.2`, { orderSeed, goesOn: true, ...death(dice, 0.4, answerPoints) }),
  ]
}

/** Timekeepers do what is due and go on with it, while somebody resumes and somebody answers. */
function timeAct(stage: Stage, index: number): Act {
  const { dice } = stage
  const others = [
    drive(stage, 'rival', { asks: asks(dice), ...deathInTree(dice, 0.6) }),
    answer(stage, `${index}.1`, { orderSeed: index, ...death(dice, 0.2, answerPoints) }),
  ]
  return [
    tend(stage, { goesOn: dice.chance(0.5), ...deathInTree(dice, 0.6) }),
    ...others.filter(() => dice.chance(0.5)),
    ...(dice.chance(0.3) ? [tend(stage, deathInTree(dice, 0.3))] : []),
  ]
}

/** One drives, and another takes over from it while it lives, as after a lease that has run out. */
function usurpingAct(stage: Stage): Act {
  const { dice } = stage
  return [
    drive(stage, 'resumer', { asks: 'answer', turnsMax: 1_000, ...deathInTree(dice, 0.3) }),
    drive(stage, 'usurper', { asks: 'answer', clockAheadMs, waitsForFirst: true, ...deathInTree(dice, 0.3) }),
  ]
}

/** Nobody was there for so long that the long times are over too. */
function muchLaterAct(stage: Stage): Act {
  return [tend(stage, { clockAheadMs, ...deathInTree(stage.dice, 0.5) })]
}
