import type { Agent } from '../agent/agent.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import type { TicketState } from '../core/run/state.ts'

/** What asks are for, by their ids. */
export type AskKinds = ReadonlyMap<string, TicketState['kind']>

/** Looks up what asks are for: those of runs below a run stand in other logs than its own. */
export async function askKinds(agent: Agent, tickets: readonly string[]): Promise<AskKinds> {
  const { store } = definitionOf(agent).parts
  const found = tickets.map(async (id) => {
    const [row] = await store.list({ kind: 'ticket', id, limit: 1 })
    return [id, String(row?.data.kind ?? 'approval') as TicketState['kind']] as const
  })
  return new Map(await Promise.all(found))
}
