import type { AskTimes } from '../ask-times.ts'
import { evaluate } from './evaluate.ts'
import type { ParentFacts, PolicyFacts } from './facts.ts'
import type { ToolMode } from './mode.ts'

/**
 * What an agent may do, for the agents that it starts: its layers as plain data, its mode, how long asks stay open
 * here, and the same of the agent above it. It stands in the log of a child, so that whoever takes the child up is bound by it.
 */
export interface Bounds
  extends AskTimes,
    Pick<
      PolicyFacts,
      'killed' | 'contract' | 'rules' | 'profile' | 'grant' | 'unreachable' | 'governed' | 'mode'
    > {
  readonly agent: string
  readonly mode?: ToolMode
  readonly parent?: Bounds
}

/**
 * What the agent above says of a child's call: the verdict of its own layers about the child's tool, and its mode. The
 * answers that it remembers are its own, and count for nothing here.
 */
export function parentFacts(bounds: Bounds, facts: PolicyFacts): ParentFacts {
  const { agent: audience, parent, ...layers } = listsFor(facts, bounds)
  const { tool, call, principal, now } = facts
  const { verdict, mode, qualities } = evaluate({
    ...layers,
    tool,
    audience,
    ...(call === undefined ? {} : { call }),
    ...(principal === undefined ? {} : { principal }),
    ...(now === undefined ? {} : { now }),
    ...(parent === undefined ? {} : { parent: parentFacts(parent, facts) }),
  })
  return { verdict, qualities, ...(mode === undefined ? {} : { modeMax: mode }) }
}

/** An administrator's lists are about the application's tools, not about the runtime's own. */
function listsFor({ tool }: PolicyFacts, bounds: Bounds): Bounds {
  if (tool.source.kind !== 'runtime') return bounds
  const { contract: _contract, profile, grant, ...rest } = bounds
  const { tools: _tools, ...unlisted } = grant ?? { subject: '' }
  return {
    ...rest,
    ...(profile?.modeMax === undefined ? {} : { profile: { modeMax: profile.modeMax } }),
    ...(grant === undefined ? {} : { grant: unlisted }),
  }
}
