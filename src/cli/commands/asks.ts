import { definitionOf } from '../../agent/children/known-agents.ts'
import { agentOf } from '../../agent/find-ask.ts'
import { type AgentsHere, withAgents } from '../agents-here.ts'
import { type ListedAsk, listedAsk } from '../approvals/listed-ask.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
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
    const open = await openAsks(here)
    if (options.json === true) writeJson({ asks: open })
    else
      process.stdout.write(
        open.length === 0 ? 'No ask is open.\n' : open.map((ask) => text(place, ask, Date.now())).join('\n'),
      )
    return 0
  })
}

async function openAsks({ store, any, exported }: AgentsHere): Promise<readonly ListedAsk[]> {
  const rows = await store.list({ kind: 'ticket', status: 'open', limit: 1_000 })
  const asks = rows.map(async ({ id, data }) => {
    const { state } = await any.openSession(String(data.session))
    const top = state.parent?.path[0] ?? state.agent
    const agent = exported?.find(({ name }) => name === top) ?? any
    return listedAsk(state, id, agentOf(definitionOf(agent), state)?.catalog.find(String(data.tool)))
  })
  return (await Promise.all(asks)).filter((ask) => ask !== undefined)
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
    `  answer  ${answeringCommand(place, id, kind)}`,
  ]
  return `${lines.join('\n')}\n`
}
