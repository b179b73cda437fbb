import { ToolpostError } from '../../core/error.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { findRun, requireOurs } from '../find-run.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { busy } from './resume.ts'

export type CancelOptions = AgentOptions & { readonly reason?: string }

/** Stops a run that has not ended, wherever it rests, with all that hangs on it. */
export async function cancel(run: string, options: CancelOptions): Promise<number> {
  const place = placeOf(options)
  return await withAgents(place, async (here) => {
    const row = await findRun(here.store, run)
    requireOurs(place, here, row)
    const session = await here.agentFor(String(row.data.agent)).openSession(String(row.data.session))
    if (session.state.openRun !== run) {
      const status = session.state.runs.get(run)?.ended?.status ?? row.status
      throw new ToolpostError(
        'RUN_NOT_FOUND',
        `The run "${run}" has ended (${status}); there is nothing to stop.`,
      )
    }
    const result = await session
      .cancel(options.reason)
      .catch((error: unknown) => Promise.reject(busy(error, run)))
    if (options.json === true) writeJson({ type: 'result', session: session.id, ...result })
    else process.stdout.write(`Stopped: ${run} has ended as ${result.status}.\n`)
    return 0
  })
}
