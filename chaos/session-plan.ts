import type { ScriptStep } from '../src/models/script-step.ts'
import { toolNames } from './chaos-tools.ts'
import type { Dice } from './dice.ts'
import type { AgentPlan } from './tree-plan.ts'

/** What one session of a round is about. */
export interface SessionPlan {
  readonly id: string
  readonly mode: 'ask' | 'auto'
  readonly onUncertain: 'tell' | 'pause' | 'fail'
  readonly steps: readonly ScriptStep[]
  /** Whether the first drive of the run is looked on at. */
  readonly isShown: boolean
  /** The agent with all that is below it; absent: it has only tools. */
  readonly tree?: AgentPlan
}

/** Scripts of two to four answers with calls, and a last word. */
export function planSession(dice: Dice, id: string): SessionPlan {
  const steps = Array.from({ length: dice.whole(2, 4) }, () => planStep(dice))
  return {
    id,
    mode: dice.weighed([
      [1, 'ask'],
      [2, 'auto'],
    ]),
    onUncertain: dice.weighed([
      [3, 'tell'],
      [1, 'pause'],
      [1, 'fail'],
    ]),
    steps: [...steps, 'Done.'],
    isShown: dice.chance(0.5),
  }
}

/** Few different arguments, so that equal calls meet each other. */
function planStep(dice: Dice): ScriptStep {
  const calls = Array.from({ length: dice.whole(1, 5) }, () => ({
    name: dice.pick(toolNames),
    args: { n: dice.chance(0.1) ? 0 : dice.whole(1, 1_000_000) },
  }))
  return { text: 'Next.', calls }
}
