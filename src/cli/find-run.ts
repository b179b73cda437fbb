import { existsSync } from 'node:fs'
import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import type { IndexRow, Store } from '../core/store.ts'
import { namesOf } from './agent-of-module.ts'
import type { AgentsHere } from './agents-here.ts'
import type { Place } from './command-options.ts'
import { agentName, folderOfAgent } from './main-agent.ts'

/** A run's row by its id. Errors: RUN_NOT_FOUND. */
export async function findRun(store: Store, id: string): Promise<IndexRow> {
  const [row] = await store.list({ kind: 'run', id, limit: 1 })
  if (row !== undefined) return row
  throw new ToolpostError('RUN_NOT_FOUND', `The store holds no run ${named(id)}.`)
}

/** The runs of the agents here that have not ended, the newest first. Errors: RUN_NOT_FOUND when there is none. */
export async function openRuns(place: Place, here: AgentsHere): Promise<readonly IndexRow[]> {
  const rows = await here.store.list({
    kind: 'run',
    status: ['open', 'waiting'],
    newestFirst: true,
    limit: 1_000,
  })
  const ours = rows.filter((each) => belongsTo(place, here, each))
  if (ours.length > 0) return ours
  throw new ToolpostError('RUN_NOT_FOUND', 'Every run has ended; there is nothing to resume.')
}

/** A run goes on with the agent and in the folder that it began with. Errors: INVALID_ARGUMENT when these are others. */
export function requireOurs(place: Place, here: AgentsHere, row: IndexRow): void {
  if (belongsTo(place, here, row)) return
  const agent = String(row.data.agent)
  const whose = `The run "${row.id}" belongs to the agent "${agent}"`
  if (place.module !== undefined) {
    const names = namesOf(here.exported ?? [])
    throw new ToolpostError('INVALID_ARGUMENT', `${whose}; the module "${place.module}" exports ${names}.`)
  }
  const folder = folderOfAgent(agent)
  if (folder === undefined) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `${whose}, which is not this command line's; add --agent MODULE with the module that exports it, or resume it in the program that defines that agent.`,
    )
  }
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The run "${row.id}" works on another folder; add --dir ${folder}.`,
  )
}

/** The store in a folder is that folder's alone, and moves with it; a program may keep runs of its own agents there too. */
function belongsTo(place: Place, { exported }: AgentsHere, row: IndexRow): boolean {
  const agent = String(row.data.agent)
  if (exported !== undefined) return exported.some(({ name }) => name === agent)
  const folder = folderOfAgent(agent)
  if (folder === undefined) return false
  if (place.isOwnStore || agent === agentName(place.folder)) return true
  return !existsSync(folder)
}
