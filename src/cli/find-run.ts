import { existsSync } from 'node:fs'
import { ToolpostError } from '../core/error.ts'
import type { IndexRow, Store } from '../core/store.ts'
import type { Place } from './command-options.ts'
import { agentName, folderOfAgent } from './main-agent.ts'

/** A run's row by its id. Errors: RUN_NOT_FOUND. */
export async function findRun(store: Store, id: string): Promise<IndexRow> {
  const [row] = await store.list({ kind: 'run', id, limit: 1 })
  if (row !== undefined) return row
  throw new ToolpostError('RUN_NOT_FOUND', `The store holds no run "${id}".`)
}

/** The newest run of the place's folder that has not ended. Errors: RUN_NOT_FOUND. */
export async function newestOpenRun(store: Store, place: Place): Promise<IndexRow> {
  const rows = await store.list({ kind: 'run', status: ['open', 'waiting'], newestFirst: true, limit: 1_000 })
  const row = rows.find((each) => belongsTo(place, each))
  if (row !== undefined) return row
  throw new ToolpostError('RUN_NOT_FOUND', 'Every run has ended; there is nothing to resume.')
}

/** A run goes on with the agent and in the folder that it began with. Errors: INVALID_ARGUMENT when these are others. */
export function requireSameFolder(place: Place, row: IndexRow): void {
  if (belongsTo(place, row)) return
  const agent = String(row.data.agent)
  const folder = folderOfAgent(agent)
  if (folder === undefined) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The run "${row.id}" belongs to the agent "${agent}", which is not this command line's; resume it in the program that defines that agent.`,
    )
  }
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The run "${row.id}" works on another folder; add --dir ${folder}.`,
  )
}

/** The store in a folder is that folder's alone, and moves with it; a program may keep runs of its own agents there too. */
function belongsTo(place: Place, row: IndexRow): boolean {
  const agent = String(row.data.agent)
  const folder = folderOfAgent(agent)
  if (folder === undefined) return false
  if (place.isOwnStore || agent === agentName(place.folder)) return true
  return !existsSync(folder)
}
