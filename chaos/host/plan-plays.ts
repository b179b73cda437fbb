import type { Dice } from '../dice.ts'
import type { KillPlan } from './play.ts'
import type { FinishedPlay, PlannedPlay } from './play-hosts.ts'
import type { Script } from './script.ts'

/** A script without a kill: it shows which steps there are. */
export function undisturbed(script: Script): PlannedPlay {
  return { script, kills: [], isSamePort: true }
}

/**
 * Every way to kill the host of a script once: after each step; with the answer of each request lost; and while each is
 * on its way. And one in which it is killed after every step.
 */
export function everyKill({ script, steps }: FinishedPlay, dice: Dice): readonly PlannedPlay[] {
  const plans: KillPlan[] = steps.flatMap(({ isAsked }, index) => {
    const step = index + 1
    const after: KillPlan = { when: 'after', step }
    if (!isAsked) return [after]
    const during = { when: 'during', step, waitMs: dice.whole(0, 12) } as const
    return [after, { when: 'lost', step } as const, during]
  })
  const always = steps.map((_step, index): KillPlan => ({ when: 'after', step: index + 1 }))
  return [...plans.map((kill) => [kill]), always].map((kills) => ({
    script,
    kills,
    isSamePort: dice.chance(0.5),
  }))
}
