import { type Catalog, createCatalog } from '../core/catalog.ts'
import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import type { SessionState } from '../core/run/state.ts'
import type { IndexRow, Store } from '../core/store.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import { listAll } from '../runtime/list-all.ts'
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
  if (row === undefined) throw new ToolpostError('TICKET_NOT_FOUND', `There is no ask ${named(ticket)}.`)
  const journal = await Journal.open(store, row.stream.slice(sessionStream('').length), clock)
  return { journal, catalog: agentOf(definition, journal.state)?.catalog ?? noTools }
}

/**
 * Finds a question by its id or by that of its call. A call has no row of its own: the asks are looked through, all that
 * are open and the newest that are not. Errors: TICKET_NOT_FOUND.
 */
export async function findQuestion(definition: Definition, id: string): Promise<FoundAsk> {
  const { store } = definition.parts
  const [row] = await store.list({ kind: 'ticket', id, limit: 1 })
  if (row !== undefined) return await findAsk(definition, id)
  for await (const ask of asks(store)) if (ask.data.call === id) return await findAsk(definition, ask.id)
  throw new ToolpostError(
    'TICKET_NOT_FOUND',
    `There is no ask ${named(id)}, and no call of this id that asks.`,
  )
}

async function* asks(store: Store): AsyncGenerator<IndexRow, void, undefined> {
  yield* listAll(store, { kind: 'ticket', status: 'open' })
  yield* await store.list({ kind: 'ticket', status: 'decided', newestFirst: true, limit: 1_000 })
}

/** The agent of a session, among this one and those that its calls start; undefined when it is not known here. */
export function agentOf(definition: Definition, { parent, agent }: SessionState): Definition | undefined {
  return parent === undefined ? definition : agentAtPath(definition, [...parent.path, agent])
}
