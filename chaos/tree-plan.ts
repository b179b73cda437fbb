import type { ScriptStep } from '../src/models/script-step.ts'
import { toolNames } from './chaos-tools.ts'
import type { Dice } from './dice.ts'
import type { SessionPlan } from './session-plan.ts'
import { starterNames, waitingToolNames } from './tree-tool-kinds.ts'

/** An agent or a flow, with all that is below it. Its name says where it stands in the tree. */
export type TreePlan = AgentPlan | FlowPlan

/** An agent with a script; the names of its tools follow from its children. */
export interface AgentPlan {
  readonly kind: 'agent'
  readonly name: string
  readonly steps: readonly ScriptStep[]
  readonly starters: readonly Starter[]
  /** Milliseconds after which its asks for approval count as declined. */
  readonly askExpiryMs?: number
}

/** A tool that starts what is below: `call` is an agent as a tool, `run` looks and `act` acts after `context.run`. */
export interface Starter {
  readonly by: (typeof starterNames)[number]
  /** One for `call`; those of a function are started one after another, or beside each other. */
  readonly plans: readonly TreePlan[]
  readonly isBeside: boolean
}

/** A flow; with `isStamped`, its last part is a function that acts. */
export interface FlowPlan {
  readonly kind: 'sequence' | 'parallel'
  readonly name: string
  readonly parts: readonly TreePlan[]
  readonly isStamped: boolean
}

/** The levels below an agent at the top. */
const depthMax = 3

/** A session whose agent has others below it. */
export function planTree(dice: Dice, id: string): SessionPlan {
  const tree = planAgent(dice, id, depthMax)
  return {
    id,
    mode: dice.weighed([
      [1, 'ask'],
      [2, 'auto'],
    ]),
    onUncertain: dice.weighed([
      [4, 'tell'],
      [1, 'pause'],
      [1, 'fail'],
    ]),
    steps: tree.steps,
    isShown: dice.chance(0.5),
    tree,
  }
}

/** The name of the tool of a starter. */
export function starterTool({ by, plans }: Starter): string {
  return `${by}_${plans[0]?.name}`
}

function planAgent(dice: Dice, name: string, depthLeft: number): AgentPlan {
  const isTop = depthLeft === depthMax
  const count = depthLeft === 0 ? 0 : isTop ? dice.whole(1, 2) : dice.whole(0, 1)
  const starters = Array.from({ length: count }, (_value, index) =>
    planStarter(dice, `${name}_${index + 1}`, depthLeft - 1),
  )
  const steps = Array.from({ length: dice.whole(1, isTop ? 3 : 2) }, () => planCalls(dice))
  for (const starter of starters) {
    const calls = dice.pick(steps)
    calls.splice(dice.whole(0, calls.length), 0, callOf(dice, starterTool(starter)))
  }
  const expiry = dice.chance(0.2) ? { askExpiryMs: dice.pick([30, 400_000]) } : {}
  return {
    kind: 'agent',
    name,
    steps: [...steps.map((calls) => ({ text: 'Next.', calls })), `Done by ${name}.`],
    starters,
    ...expiry,
  }
}

function planStarter(dice: Dice, name: string, depthLeft: number): Starter {
  const by = dice.pick(starterNames)
  const count = by === 'call' || depthLeft === 0 ? 1 : dice.whole(1, 2)
  const plans = Array.from({ length: count }, (_value, index) =>
    planChild(dice, `${name}${'ab'[index]}`, depthLeft),
  )
  return { by, plans, isBeside: dice.chance(0.5) }
}

function planChild(dice: Dice, name: string, depthLeft: number): TreePlan {
  if (depthLeft === 0 || dice.chance(0.6)) return planAgent(dice, name, depthLeft)
  const parts = Array.from({ length: dice.whole(1, 2) }, (_value, index) =>
    planChild(dice, `${name}${index + 1}`, depthLeft - 1),
  )
  return { kind: dice.pick(['sequence', 'parallel']), name, parts, isStamped: dice.chance(0.6) }
}

function planCalls(dice: Dice) {
  return Array.from({ length: dice.whole(1, 3) }, () =>
    callOf(dice, dice.chance(0.5) ? dice.pick(waitingToolNames) : dice.pick(toolNames)),
  )
}

function callOf(dice: Dice, name: string) {
  const n = dice.whole(1, 1_000_000)
  return { name, args: name.startsWith('call_') ? { input: String(n) } : { n } }
}
