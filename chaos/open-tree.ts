import { type Agent, agent, parallel, scriptedModel, sequence } from '../src/index.ts'
import { chaosTools, type ToolParts } from './chaos-tools.ts'
import type { AgentParts } from './open-round.ts'
import type { AgentPlan, FlowPlan, TreePlan } from './tree-plan.ts'
import { stampPart, starterOf, waitingTools } from './tree-tools.ts'

/** The agent at the top of a tree, with all that is below it; every process makes it for itself. */
export function agentOfTree(
  parts: ToolParts,
  plan: AgentPlan,
  own: AgentParts,
  onUncertain: 'tell' | 'pause' | 'fail',
): Agent {
  const shared = [...chaosTools(parts), ...waitingTools(parts)]
  const make = (each: TreePlan): Agent => (each.kind === 'agent' ? agentOf(each) : flowOf(parts, each, make))
  const agentOf = (each: AgentPlan): Agent => {
    const below = each.starters.map(({ plans }) => plans.map(make))
    const { name, steps, askExpiryMs } = each
    return agent({
      name,
      model: scriptedModel(steps, { fromHistory: true }),
      tools: [
        ...shared,
        ...each.starters.map((starter, index) => starterOf(parts, starter, below[index] ?? [])),
      ],
      agents: below.flat(),
      onUncertain,
      ...(askExpiryMs === undefined ? {} : { askExpiryMs }),
      // What is below asks those whom the agent at the top asks, and works in its store.
      ...(each === plan ? own : {}),
    })
  }
  return agentOf(plan)
}

function flowOf(
  parts: ToolParts,
  { kind, name, parts: plans, isStamped }: FlowPlan,
  make: (plan: TreePlan) => Agent,
): Agent {
  const steps = [...plans.map(make), ...(isStamped ? [stampPart(parts)] : [])]
  return kind === 'sequence' ? sequence({ name, steps }) : parallel({ name, branches: steps })
}
