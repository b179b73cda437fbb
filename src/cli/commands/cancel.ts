import { ToolpostError } from '../../core/error.ts'
import { agentOfChild } from '../agent-that-knows.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { findRun, requireOurs } from '../find-run.ts'
import { writeJson } from '../terminal/json-lines.ts'

export type CancelOptions = AgentOptions & { readonly reason?: string }

/** Stops a run that has not ended, wherever it rests or is driven, with all that hangs on it. */
export async function cancel(run: string, options: CancelOptions): Promise<number> {
  const place = placeOf(options)
  return await withAgents(place, async (here) => {
    const row = await findRun(here.store, run)
    // What has ended, whosoever it is, has nothing to stop.
    if (row.status !== 'open' && row.status !== 'waiting') throw ended(run, row.status)
    const knowing = await agentOfChild(here, row)
    if (knowing === undefined) requireOurs(place, here, row)
    const agent = knowing ?? here.agentFor(String(row.data.agent))
    const session = await agent.openSession(String(row.data.session))
    if (session.state.openRun !== run)
      throw ended(run, session.state.runs.get(run)?.ended?.status ?? row.status)
    const result = await session.cancel(options.reason)
    if (options.json === true) writeJson({ type: 'result', session: session.id, ...result })
    else process.stdout.write(`Stopped: ${run} has ended as ${result.status}.\n`)
    return 0
  })
}

function ended(run: string, status: string | undefined): ToolpostError {
  return new ToolpostError(
    'RUN_NOT_FOUND',
    `The run "${run}" has ended (${status}); there is nothing to stop.`,
  )
}
