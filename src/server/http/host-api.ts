import type { ApprovalFilters, ApprovalInbox } from '../../protocol/approvals/approval-inbox.ts'
import type { ApprovalResolution } from '../../protocol/approvals/approval-resolution.ts'
import type { ProtocolInfo } from '../../protocol/host/protocol-info.ts'
import type { ProviderList } from '../../protocol/host/provider-list.ts'
import type { ReconcileReceipt } from '../../protocol/run/reconcile-request.ts'
import type { RunDeleted } from '../../protocol/run/run-deleted.ts'
import type { RunResult } from '../../protocol/run/run-result.ts'
import type { RunFilters, RunPage, RunStatus } from '../../protocol/run/run-status.ts'
import type { SessionDeleted, SessionSnapshot } from '../../protocol/sessions/session-snapshot.ts'
import type { RunEvent } from '../../protocol/stream/run-event.ts'
import type { ExecutionEvent } from '../../protocol/tool-executions/execution-event.ts'
import type { ExecutionStatus } from '../../protocol/tool-executions/execution-status.ts'
import type {
  ExecutionFilters,
  PendingExecutions,
} from '../../protocol/tool-executions/pending-executions.ts'
import type { ToolProgressReceipt } from '../../protocol/tool-executions/tool-progress.ts'
import type { ToolResultReceipt } from '../../protocol/tool-executions/tool-result.ts'
import type { HostOptions } from '../host-options.ts'
import type { Who } from '../who.ts'

/** A run's events with their ids, for one reader. Closing it says that the reader is gone. */
export interface RunEvents extends AsyncIterable<{ readonly event: RunEvent; readonly id: string }> {
  readonly runId: string
  close(): void
}

/**
 * What the routes ask of a host. Bodies come as JSON that was read strictly; the host checks their shape itself. Every
 * method refuses with a `HostError`; those that give an `RunEvents` refuse before its first event.
 */
export interface HostApi {
  /** Of what it is made, where that is known here. */
  readonly options?: Pick<HostOptions, 'providers' | 'tools'>
  startRun(request: unknown, who: Who): Promise<RunEvents>
  run(request: unknown, who: Who & { readonly signal?: AbortSignal }): Promise<RunResult>
  followRun(runId: string, lastEventId: string | undefined, who: Who): Promise<RunEvents>
  cancelRun(runId: string, who: Who, reason?: string): Promise<RunStatus>
  deleteRun(runId: string, who: Who): Promise<RunDeleted>
  runStatus(runId: string, who: Who): Promise<RunStatus>
  listRuns(filters: RunFilters, who: Who): Promise<RunPage>
  decideApproval(body: unknown, who: Who): Promise<ApprovalResolution>
  approvals(filters: ApprovalFilters, who: Who): Promise<ApprovalInbox>
  reportToolProgress(body: unknown, who: Who): Promise<ToolProgressReceipt>
  completeTool(body: unknown, who: Who): Promise<ToolResultReceipt>
  executionStatus(executionId: string, who: Who): Promise<ExecutionStatus>
  pendingExecutions(filters: ExecutionFilters, who: Who): Promise<PendingExecutions>
  executionEvents(who: Who, signal: AbortSignal): AsyncIterable<ExecutionEvent>
  /** Takes a place for a stream over the network; what it gives gives the place back. Errors: CONNECTION_CAPACITY. */
  takeStream(who: Who): () => void
  reconcile(body: unknown, who: Who): Promise<ReconcileReceipt>
  createSession(body: unknown, who: Who): Promise<SessionSnapshot>
  readSession(body: unknown, who: Who): Promise<SessionSnapshot>
  deleteSession(body: unknown, who: Who): Promise<SessionDeleted>
  protocolInfo(who: Who): ProtocolInfo
  providers(who: Who): Promise<ProviderList>
  /** Takes up what an earlier process left. */
  recover(): Promise<void>
  /** Takes nothing more, and ends or leaves what goes on. */
  close(): Promise<void>
}
