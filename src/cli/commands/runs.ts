import type { RunEnding } from '../../core/event.ts'
import type { IndexRow, Store } from '../../core/store.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { runInput } from '../run-input.ts'
import { clipped } from '../terminal/clipped.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type RunsOptions = AgentOptions & { readonly status?: string; readonly limit: string }

const endings: Readonly<Record<RunEnding, true>> = {
  completed: true,
  failed: true,
  cancelled: true,
  step_limit: true,
  call_limit: true,
  cut_short: true,
  uncertain: true,
  refused: true,
}
const statuses = ['open', 'waiting', ...Object.keys(endings)]

/** Lists runs, the newest first. */
export async function runs(options: RunsOptions): Promise<number> {
  const { status } = options
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    throw new UsageError('--limit must be a whole number from 1 to 1000.')
  if (status !== undefined && !statuses.includes(status)) {
    throw new UsageError(`There is no status "${status}"; a run is ${statuses.join(', ')}.`)
  }
  return await withAgents(placeOf(options), async ({ store }) => {
    const rows = await store.list({
      kind: 'run',
      newestFirst: true,
      limit,
      ...(status === undefined ? {} : { status }),
    })
    const listed = await Promise.all(rows.map((row) => describe(store, row)))
    if (options.json === true) writeJson({ runs: listed })
    else process.stdout.write(listed.length === 0 ? 'No runs.\n' : listed.map(line).join(''))
    return 0
  })
}

async function describe(store: Store, row: IndexRow) {
  const { session, agent, model, steps, calls, endedAt } = row.data
  const input = await runInput(store, row.stream, row.id)
  return {
    run: row.id,
    status: row.status,
    startedAt: row.at,
    endedAt,
    session,
    agent,
    model,
    steps,
    calls,
    input,
  }
}

function line({ run, status, startedAt, steps, calls, input }: Awaited<ReturnType<typeof describe>>): string {
  const when = new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ')
  const what = input === undefined ? 'a call by hand' : inertLine(clipped(input, 60))
  return `${run}  ${status.padEnd(9)}  ${when}  ${counted(steps, 'step')}, ${counted(calls, 'call')}  ${what}\n`
}

function counted(count: unknown, one: string): string {
  return `${String(count)} ${one}${count === 1 ? '' : 's'}`
}
