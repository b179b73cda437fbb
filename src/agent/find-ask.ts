import { type Catalog, createCatalog } from '../core/catalog.ts'
import { ToolpostError } from '../core/error.ts'
import type { SessionState } from '../core/run/state.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import { agentAtPath } from './children/known-agents.ts'
import type { Definition } from './definition.ts'

/** An ask, wherever it is: the log that it stands in, and the tools of the agent that it belongs to. */
export interface FoundAsk {
  readonly journal: Journal
  readonly catalog: Catalog
}

const noTools = createCatalog([])

/**
 * Finds an ask by its id, in a session of this agent or of one that its calls have started. Of an agent that this
 * process does not know no tool is known either: its asks can be decided, and neither edited nor answered with a value.
 * Errors: TICKET_NOT_FOUND.
 */
export async function findAsk(definition: Definition, ticket: string): Promise<FoundAsk> {
  const { store, clock } = definition.parts
  const [row] = await store.list({ kind: 'ticket', id: ticket, limit: 1 })
  if (row === undefined) throw new ToolpostError('TICKET_NOT_FOUND', `There is no ask "${ticket}".`)
  const journal = await Journal.open(store, row.stream.slice(sessionStream('').length), clock)
  return { journal, catalog: agentOf(definition, journal.state)?.catalog ?? noTools }
}

/** The agent of a session, among this one and those that its calls start; undefined when it is not known here. */
export function agentOf(definition: Definition, { parent, agent }: SessionState): Definition | undefined {
  return parent === undefined ? definition : agentAtPath(definition, [...parent.path, agent])
}
