import { type AgentsHere, withAgents } from '../agents-here.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { type LeftOut, leftOut, leftOutJson, tellLeftOut } from '../left-out.ts'
import { goOn } from '../redeemed-ask.ts'
import { runAtTop } from '../run-at-top.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'

/** Does what is due in the store, each once, and lists the sessions whose runs can go on because of it. */
export async function timers(options: AgentOptions): Promise<number> {
  const place = placeOf(options)
  return await withAgents(place, async (here) => {
    const failed: LeftOut[] = []
    const ids = await here.any.runTimers({
      onError: ({ session, error }) => failed.push(leftOut(session, error)),
    })
    const sessions = await Promise.all(ids.map((id) => stateOf(here, id)))
    const isJson = options.json === true
    if (isJson) writeJson({ sessions: sessions.map(({ told }) => told), ...leftOutJson(failed) })
    else process.stdout.write(sessions.length === 0 ? 'Nothing is due.\n' : lines(place, sessions))
    return tellLeftOut(failed, isJson)
  })
}

async function stateOf(here: AgentsHere, id: string) {
  const { state } = await here.any.openSession(id)
  const run = state.openRun
  const goesOn = await runAtTop(here.any, here, state)
  const openAsks = run === undefined ? [] : (state.runs.get(run)?.openTickets ?? [])
  return {
    told: { session: id, agent: state.agent, ...(run === undefined ? {} : { run }), openAsks },
    goesOn,
  }
}

function lines(place: Place, sessions: readonly Awaited<ReturnType<typeof stateOf>>[]): string {
  const each = sessions.map(({ told: { session, agent, run, openAsks }, goesOn }) => {
    if (run === undefined) return `${session}  ${inertLine(agent)}: its run has ended.`
    if (openAsks.length > 0) return `${session}  ${inertLine(agent)}: still waits for ${openAsks.join(', ')}.`
    return `${session}  ${inertLine(agent)}: ${goOn(place, goesOn)}`
  })
  return `${each.join('\n')}\n`
}
