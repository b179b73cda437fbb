import type { RunState, SessionState } from '../../core/run/state.ts'
import { isUncertain } from '../../core/run/uncertain.ts'
import { HostError } from '../../protocol/host-error.ts'
import type { RunStatus } from '../../protocol/run/run-status.ts'
import type { HostParts } from '../host-parts.ts'
import { endingOf } from '../runs/ending.ts'
import { resultOf } from '../runs/run-result.ts'
import { isBeforePeople } from '../runs/shown-asks.ts'
import { approvalOf } from '../runs/wire-approvals.ts'
import { wireCallOf } from '../runs/wire-calls.ts'
import type { WireRun } from '../runs/wire-run.ts'
import { type RecordedRun, RecordedRuns } from '../tickets/recorded-runs.ts'
import { executionOf } from '../tickets/wire-execution.ts'
import { maySee, type Who } from '../who.ts'

/** Where a run is, and how it ended. Errors: RUN_NOT_FOUND. */
export async function runStatus(host: HostParts, runId: string, who: Who): Promise<RunStatus> {
  const recorded = await new RecordedRuns(host.parts).byId(runId)
  if (recorded === undefined || !maySee(who, recorded.subject)) throw new HostError('RUN_NOT_FOUND')
  return statusOfRun(host, recorded)
}

/** The status of a run that was read. */
export function statusOfRun(host: HostParts, recorded: RecordedRun): RunStatus {
  const { run, state } = recorded
  const { runId, request } = run
  const folded = state.runs.get(runId)
  if (folded === undefined) throw new Error(`The run ${runId} is not in its session.`)
  const calls = [...state.calls.values()].filter((call) => call.run === runId)
  return {
    runId,
    provider: request.provider,
    model: request.model,
    startedAt: new Date(folded.startedAt).toISOString(),
    ...(request.session === undefined ? {} : { sessionId: run.sessionId }),
    ...howItStands(run, state, folded),
    pendingApprovals: pendingApprovals(host, recorded, folded),
    pendingExecutions: pendingExecutions(recorded, folded),
    uncertainCalls: calls.filter(isUncertain).map(wireCallOf),
  }
}

function howItStands(
  run: WireRun,
  state: SessionState,
  folded: RunState,
): Pick<RunStatus, 'status' | 'endedAt' | 'result' | 'error'> {
  const { ended, openTickets } = folded
  if (ended === undefined) return { status: openTickets.length > 0 ? 'waiting' : 'running' }
  const endedAt = new Date(ended.at).toISOString()
  const ending = endingOf(state, folded, ended)
  if (ending.type === 'run.completed')
    return { status: 'completed', endedAt, result: resultOf(run, state, folded, ending.finishReason) }
  return { status: ending.type === 'run.failed' ? 'failed' : 'cancelled', endedAt, error: ending.error }
}

/** Those that are before people. */
function pendingApprovals(
  { runs, options }: HostParts,
  { run, state }: RecordedRun,
  { openTickets }: RunState,
): RunStatus['pendingApprovals'] {
  if (run.request.approvals === undefined) return []
  const live = runs.liveRun(run.runId)
  const shown = openTickets.filter((ticket) => isBeforePeople(options, { live, state }, ticket))
  return shown.flatMap((ticket) => approvalOf(run, state, ticket) ?? [])
}

function pendingExecutions(recorded: RecordedRun, { openTickets }: RunState): RunStatus['pendingExecutions'] {
  const { state } = recorded
  return openTickets.flatMap((id) => {
    const ticket = state.tickets.get(id)
    const call = ticket && state.calls.get(ticket.call)
    const isPending = ticket?.kind === 'execution' && call !== undefined
    return isPending ? [executionOf({ recorded, ticket, call })] : []
  })
}
