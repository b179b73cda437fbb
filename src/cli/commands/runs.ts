import type { RunEnding } from '../../core/event.ts'
import type { IndexRow, Store } from '../../core/store.ts'
import { listAll } from '../../runtime/list-all.ts'
import { withAgents } from '../agents-here.ts'
import { commandLine } from '../command-line.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { type LeftOut, leftOut, leftOutJson, tellLeftOut } from '../left-out.ts'
import { runInput } from '../run-input.ts'
import { clipped } from '../terminal/clipped.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type RunsOptions = AgentOptions & {
  readonly status?: string
  readonly uncertain?: true
  readonly limit: string
}

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
  const place = placeOf(options)
  return await withAgents(place, async ({ store }) => {
    const open = options.uncertain === true ? await uncertainCalls(store) : undefined
    const rows = open === undefined ? await runRows(store, limit, status) : await rowsOf(store, open, limit)
    const unread: LeftOut[] = []
    const listed = await Promise.all(rows.map((row) => describe(store, row, unread, open)))
    const isJson = options.json === true
    if (isJson) writeJson({ runs: listed, ...leftOutJson(unread) })
    else
      process.stdout.write(
        listed.length === 0 ? 'No runs.\n' : listed.map((each) => line(place, each)).join(''),
      )
    return tellLeftOut(unread, isJson)
  })
}

async function runRows(
  store: Store,
  limit: number,
  status: string | undefined,
): Promise<readonly IndexRow[]> {
  const wanted = status === undefined ? {} : { status }
  return await store.list({ kind: 'run', newestFirst: true, limit, ...wanted })
}

type UncertainCalls = ReadonlyMap<string, readonly { readonly call: string; readonly tool: string }[]>

/** The calls of each run whose outcome nobody saw, and nobody has found out. */
async function uncertainCalls(store: Store): Promise<UncertainCalls> {
  const found = new Map<string, { call: string; tool: string }[]>()
  for await (const { id, data } of listAll(store, { kind: 'call', status: 'uncertain' })) {
    const run = String(data.run)
    found.set(run, [...(found.get(run) ?? []), { call: id, tool: String(data.tool) }])
  }
  return found
}

async function rowsOf(store: Store, open: UncertainCalls, limit: number): Promise<readonly IndexRow[]> {
  const rows = await Promise.all([...open.keys()].map((id) => store.list({ kind: 'run', id, limit: 1 })))
  return rows
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, limit)
}

/** Its row says all but the input, which stands in the log. */
async function describe(store: Store, row: IndexRow, unread: LeftOut[], open: UncertainCalls | undefined) {
  const { session, agent, model, steps, calls, endedAt } = row.data
  const { subject } = row
  const input = await runInput(store, row.stream, row.id).catch((error: unknown) => {
    unread.push(leftOut(session, error))
    return 'a log that cannot be read'
  })
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
    ...(open === undefined ? {} : { subject, uncertain: await uncertainIn(store, row, open) }),
  }
}

/** The uncertain calls of a run as clients of a host know them, by the model's id; a log that cannot be read tells no more. */
async function uncertainIn(store: Store, { id, stream }: IndexRow, open: UncertainCalls) {
  const calls = open.get(id) ?? []
  const entries = await store.read(stream).catch(() => [])
  const proposed = entries.flatMap(({ event }) => (event.type === 'call.proposed' ? [event] : []))
  return calls.map((each) => {
    const event = proposed.find(({ call }) => call === each.call)
    return event === undefined
      ? each
      : { ...each, modelCallId: event.modelCallId, arguments: event.argumentsText }
  })
}

type Described = Awaited<ReturnType<typeof describe>>

function line(
  place: Place,
  { run, status, startedAt, steps, calls, input, subject, uncertain = [] }: Described,
): string {
  const when = new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ')
  const what = input === undefined ? 'a call by hand' : inertLine(clipped(input, 60))
  const lost = uncertain.map(
    (each) =>
      `  ${about(each, subject)} is uncertain; look, then: ${commandLine(place, 'reconcile', each.call)} completed|failed|not_run\n`,
  )
  const counts = `${counted(steps, 'step')}, ${counted(calls, 'call')}`
  return `${run}  ${status.padEnd(9)}  ${when}  ${counts}  ${what}\n${lost.join('')}`
}

function about(call: NonNullable<Described['uncertain']>[number], subject: string | undefined): string {
  if (!('modelCallId' in call)) return inertLine(call.tool)
  const whose = subject === undefined ? '' : ` of ${subject}`
  return inertLine(`${call.tool} ${clipped(call.arguments, 80)} (${call.modelCallId})${whose}`)
}

function counted(count: unknown, one: string): string {
  return `${String(count)} ${one}${count === 1 ? '' : 's'}`
}
