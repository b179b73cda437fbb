import { isToolpostError } from '../../core/error.ts'
import { HostError } from '../../protocol/host-error.ts'
import type { RunDeleted } from '../../protocol/run/run-deleted.ts'
import type { HostParts } from '../host-parts.ts'
import { RecordedRuns } from '../tickets/recorded-runs.ts'
import { maySee, type Who } from '../who.ts'
import { endRun } from './end-run.ts'
import { sessionAgent } from './session-agent.ts'
import { sessionProviderOf } from './session-provider.ts'

/**
 * Removes a run for ever, with all that it has recorded and the key that stands for it; one that goes on ends first.
 * Errors: RUN_NOT_FOUND; RUN_IN_SESSION for a turn of a conversation, whose other turns build on it; SESSION_BUSY when
 * another process drives the run and has not ended it in 30 seconds.
 */
export async function deleteRun(host: HostParts, runId: string, who: Who): Promise<RunDeleted> {
  const recorded = await new RecordedRuns(host.parts).byId(runId)
  if (recorded === undefined || !maySee(who, recorded.subject)) throw new HostError('RUN_NOT_FOUND')
  const { state } = recorded
  if (sessionProviderOf(state) !== undefined) {
    const session = JSON.stringify(state.id)
    throw new HostError('RUN_IN_SESSION', `The run is a turn of the session ${session}; delete the session.`)
  }
  try {
    await endRun(host, state.openRun, 'The run was deleted.')
    await sessionAgent(host.parts).removeSession(state.id)
  } catch (error) {
    throw refusalOf(error)
  }
  return { runId, deleted: true }
}

function refusalOf(error: unknown): unknown {
  if (!isToolpostError(error)) return error
  if (error.code === 'SESSION_BUSY') return new HostError('SESSION_BUSY', undefined, { cause: error })
  // Somebody else has deleted it in the meantime.
  return error.code === 'SESSION_NOT_FOUND' ? new HostError('RUN_NOT_FOUND') : error
}
