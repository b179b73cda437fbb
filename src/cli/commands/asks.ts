import { definitionOf } from '../../agent/children/known-agents.ts'
import { agentOf } from '../../agent/find-ask.ts'
import type { IndexRow } from '../../core/store.ts'
import { type AgentsHere, withAgents } from '../agents-here.ts'
import { type ListedAsk, listedAsk } from '../approvals/listed-ask.ts'
import { commandLine } from '../command-line.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { type LeftOut, leftOut, leftOutJson, tellLeftOut } from '../left-out.ts'
import { answeringCommand } from '../next-steps.ts'
import { askCard } from '../terminal/ask-card.ts'
import { duration } from '../terminal/duration.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { inputCard, timeText, untilLines } from '../terminal/input-card.ts'
import { writeJson } from '../terminal/json-lines.ts'

/** Lists what nobody has answered yet, the oldest first: asks for approval, and what tools ask for. */
export async function asks(options: AgentOptions): Promise<number> {
  const place = placeOf(options)
  return await withAgents(place, async (here) => {
    const now = Date.now()
    const { asks, unread } = await openAsks(here)
    const expired = asks.filter((ask) => hasRunOut(ask, now))
    const open = asks.filter((ask) => !hasRunOut(ask, now))
    const isJson = options.json === true
    if (isJson)
      writeJson({ asks: open, ...(expired.length === 0 ? {} : { expired }), ...leftOutJson(unread) })
    else {
      const none = open.length === 0 ? ['No ask is open.\n'] : []
      process.stdout.write([...none, ...[...open, ...expired].map((ask) => text(place, ask, now))].join('\n'))
    }
    return tellLeftOut(unread, isJson)
  })
}

/** Nobody has looked at the clock yet, but nobody can answer it any more either. */
function hasRunOut({ expiresAt }: ListedAsk, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

async function openAsks(
  here: AgentsHere,
): Promise<{ readonly asks: readonly ListedAsk[]; readonly unread: readonly LeftOut[] }> {
  const rows = await here.store.list({ kind: 'ticket', status: 'open', limit: 1_000 })
  const unread: LeftOut[] = []
  const asks = rows.map((row) =>
    readAsk(here, row).catch((error: unknown) => {
      unread.push(leftOut(row.data.session, error))
      return undefined
    }),
  )
  return { asks: (await Promise.all(asks)).filter((ask) => ask !== undefined), unread }
}

async function readAsk(
  { any, exported }: AgentsHere,
  { id, data }: IndexRow,
): Promise<ListedAsk | undefined> {
  const { state } = await any.openSession(String(data.session))
  const top = state.parent?.path[0] ?? state.agent
  const agent = exported?.find(({ name }) => name === top) ?? any
  return listedAsk(state, id, agentOf(definitionOf(agent), state)?.catalog.find(String(data.tool)))
}

function text(place: Place, ask: ListedAsk, now: number): string {
  const { path, argsDigest, requestedAt, runId, id, kind } = ask
  const card =
    ask.kind === 'input'
      ? [...inputCard(ask, now), `  digest  ${argsDigest}`]
      : [...askCard(ask).lines, ...untilLines(ask, now)]
  const lines = [
    ...card,
    ...(path.length < 2 ? [] : [`  agents  ${path.map((name) => inertLine(name)).join(' > ')}`]),
    `  since   ${timeText(requestedAt)} (${duration(Math.max(0, now - requestedAt))} ago), run ${runId}`,
    hasRunOut(ask, now)
      ? `  closed  by the next: ${commandLine(place, 'timers')}`
      : `  answer  ${answeringCommand(place, id, kind)}`,
  ]
  return `${lines.join('\n')}\n`
}
