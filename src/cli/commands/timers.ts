import type { Agent } from '../../agent/agent.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { goOn } from '../redeemed-ask.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'

/** Does what is due in the store, each once, and lists the sessions in which something was done. */
export async function timers(options: AgentOptions): Promise<number> {
  const place = placeOf(options)
  return await withAgents(place, async (here) => {
    const ids = await here.any.runTimers()
    const sessions = await Promise.all(ids.map((id) => stateOf(here.any, id)))
    if (options.json === true) writeJson({ sessions })
    else process.stdout.write(sessions.length === 0 ? 'Nothing is due.\n' : lines(place, sessions))
    return 0
  })
}

async function stateOf(agent: Agent, id: string) {
  const { state } = await agent.openSession(id)
  const run = state.openRun
  const openAsks = run === undefined ? [] : (state.runs.get(run)?.openTickets ?? [])
  return { session: id, agent: state.agent, ...(run === undefined ? {} : { run }), openAsks }
}

function lines(place: Place, sessions: readonly Awaited<ReturnType<typeof stateOf>>[]): string {
  const each = sessions.map(({ session, agent, run, openAsks }) => {
    if (run === undefined) return `${session}  ${inertLine(agent)}: its run has ended.`
    if (openAsks.length > 0) return `${session}  ${inertLine(agent)}: still waits for ${openAsks.join(', ')}.`
    return `${session}  ${inertLine(agent)}: ${goOn(place, run, agent)}`
  })
  return `${each.join('\n')}\n`
}
