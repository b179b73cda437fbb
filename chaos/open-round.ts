import { join } from 'node:path'
import {
  type Agent,
  type ApprovalHandler,
  agent,
  type Clock,
  type InputFunction,
  type Store,
  scriptedModel,
} from '../src/index.ts'
import { processOwner } from '../src/process/process-owner.ts'
import { systemClock } from '../src/runtime/system.ts'
import { sqlite } from '../src/sqlite.ts'
import { chaosTools } from './chaos-tools.ts'
import { Evidence } from './evidence.ts'
import { type KillPoints, storeWithPoints } from './kill-points.ts'
import { agentOfTree } from './open-tree.ts'
import type { SessionPlan } from './session-plan.ts'

/** What a worker holds open of one round. */
export interface OpenRound {
  readonly folder: string
  readonly store: Store
  readonly evidence: Evidence
  readonly points: KillPoints
}

export function openRound(folder: string, points: KillPoints): OpenRound {
  const store = sqlite(storeFile(folder), { pollMs: 5 })
  const evidence = new Evidence(folder)
  return { folder, store: storeWithPoints(store, points, evidence), evidence, points }
}

export async function closeRound({ store, evidence }: OpenRound): Promise<void> {
  await store.close()
  evidence.close()
}

/** The store of a round. */
export function storeFile(folder: string): string {
  return join(folder, 'log.db')
}

/** What the agent at the top is made of, beside its script and its tools. */
export type AgentParts = Pick<Parameters<typeof agent>[0], 'store' | 'approvals' | 'inputs' | 'parts'>

const owner = processOwner()

/** The agent that every process makes for itself to drive a session, or to answer for it. */
export function agentFor(
  round: OpenRound,
  plan: Pick<SessionPlan, 'steps' | 'onUncertain' | 'tree'>,
  facts: {
    readonly seed: number
    readonly approvals: ApprovalHandler
    readonly inputs?: InputFunction
    readonly clockAheadMs?: number
    readonly turnsMax?: number
  },
): Agent {
  const { store, evidence, points } = round
  const { seed, approvals, inputs, clockAheadMs = 0, turnsMax = 0 } = facts
  const parts = { evidence, points, seed, turnsMax }
  const own: AgentParts = {
    store,
    approvals,
    ...(inputs === undefined ? {} : { inputs }),
    parts: { owner, clock: clockAhead(clockAheadMs) },
  }
  const { steps, onUncertain, tree } = plan
  if (tree !== undefined) return agentOfTree(parts, tree, own, onUncertain)
  const model = scriptedModel(steps, { fromHistory: true })
  return agent({ name: 'worker', model, tools: chaosTools(parts), onUncertain, ...own })
}

function clockAhead(byMs: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + byMs }
}
