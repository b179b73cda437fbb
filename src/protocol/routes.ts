import { approvalDecisionBody } from './approvals/approval-decision.ts'
import { approvalFiltersBody, approvalInboxBody } from './approvals/approval-inbox.ts'
import { approvalResolutionBody } from './approvals/approval-resolution.ts'
import { healthBody } from './host/health.ts'
import { protocolInfoBody } from './host/protocol-info.ts'
import { providerListBody } from './host/provider-list.ts'
import type { Route } from './route.ts'
import { reconcileReceiptBody, reconcileRequestBody } from './run/reconcile-request.ts'
import { runDeletedBody } from './run/run-deleted.ts'
import { runRequestBody } from './run/run-request.ts'
import { runResultBody } from './run/run-result.ts'
import { runCancelRequestBody, runFiltersBody, runPageBody, runStatusBody } from './run/run-status.ts'
import { sessionCreateBody, sessionDeleteBody, sessionReadBody } from './sessions/session-request.ts'
import { sessionDeletedBody, sessionSnapshotBody } from './sessions/session-snapshot.ts'
import { runEventBody } from './stream/run-event-schema.ts'
import { executionEventBody } from './tool-executions/execution-event.ts'
import { executionStatusBody } from './tool-executions/execution-status.ts'
import { executionFiltersBody, pendingExecutionsBody } from './tool-executions/pending-executions.ts'
import { toolProgressBody, toolProgressReceiptBody } from './tool-executions/tool-progress.ts'
import { toolResultBody, toolResultReceiptBody } from './tool-executions/tool-result.ts'

const runErrors = [
  'INVALID_SCHEMA',
  'UNKNOWN_PROVIDER',
  'UNSUPPORTED_MODEL',
  'UNSUPPORTED_TOOLS',
  'UNSUPPORTED_CAPABILITY',
  'UNKNOWN_TOOL',
  'APPLICATION_TOOLS_UNAVAILABLE',
  'TOOL_STREAM_REQUIRED',
  'TOOL_DEFINITION_LIMIT',
  'TOOL_DEFINITION_CONFLICT',
  'APPROVAL_UNAVAILABLE',
  'APPROVAL_POLICY',
  'APPROVAL_STREAM_REQUIRED',
  'SESSIONS_UNAVAILABLE',
  'SESSION_HISTORY_CONFLICT',
  'SESSION_NOT_FOUND',
  'SESSION_REVISION_CONFLICT',
  'SESSION_BUSY',
  'SESSION_INTERRUPTED',
  'SESSION_PROVIDER_MISMATCH',
  'IDEMPOTENCY_CONFLICT',
  'OPERATION_IN_PROGRESS',
  'OPERATION_STORE_ERROR',
  'OPERATION_STORE_FULL',
  'BUSY',
  'QUEUE_FULL',
  'CONNECTION_CAPACITY',
] as const

/** What ends a run, and is the answer where nobody reads its stream; its status is that of the table. */
const endErrors = [
  'INVALID_TOOL_ARGUMENTS',
  'INVALID_TOOL_CALL',
  'TOOL_NOT_ALLOWED',
  'TOOL_LIMIT',
  'TOOL_FAILED',
  'TOOL_OUTCOME_UNCERTAIN',
  'APPROVAL_REQUIRED',
  'APPROVAL_AUDIT_FAILED',
  'STEP_LIMIT',
  'INVALID_OUTPUT',
  'RESOURCE_LIMIT',
  'OUTPUT_BUFFER_LIMIT',
  'SESSION_DELETED',
  'CANCELLED',
  'IDLE_TIMEOUT',
  'TIMEOUT',
  'PROVIDER_ERROR',
] as const

/** Every address of a host. Servers, clients and the OpenAPI document read this table. */
export const routes = {
  readHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the host is there.',
    grant: 'nothing',
    response: healthBody,
    errors: [],
  },
  readProtocol: {
    method: 'GET',
    path: '/v1/protocol',
    summary: 'What the host does, within which bounds, and what the caller may do.',
    grant: 'token',
    response: protocolInfoBody,
    errors: [],
  },
  listProviders: {
    method: 'GET',
    path: '/v1/providers',
    summary: 'The providers that the caller may use.',
    grant: 'token',
    response: providerListBody,
    errors: [],
  },
  readOpenApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This document.',
    grant: 'token',
    errors: [],
  },
  startRun: {
    method: 'POST',
    path: '/v1/runs',
    summary: 'Starts a run and streams it, or waits for its result.',
    grant: 'providers, tools, applicationTools and, for a session, sessions: continue',
    request: runRequestBody,
    response: runResultBody,
    stream: runEventBody,
    errors: [...runErrors, ...endErrors],
  },
  listRuns: {
    method: 'GET',
    path: '/v1/runs',
    summary: "The caller's runs, the newest first.",
    grant: 'token',
    query: runFiltersBody,
    response: runPageBody,
    errors: ['INVALID_REQUEST'],
  },
  readRun: {
    method: 'GET',
    path: '/v1/runs/{runId}',
    summary: 'Where a run is, and how it ended.',
    grant: 'token',
    response: runStatusBody,
    errors: ['RUN_NOT_FOUND'],
  },
  followRun: {
    method: 'GET',
    path: '/v1/runs/{runId}/events',
    summary: 'The stream of a run, from its beginning or from where the caller was cut off.',
    grant: 'token',
    stream: runEventBody,
    resumes: true,
    errors: ['INVALID_REQUEST', 'RUN_NOT_FOUND', 'CONNECTION_CAPACITY'],
  },
  cancelRun: {
    method: 'POST',
    path: '/v1/runs/{runId}/cancel',
    summary: 'Stops a run.',
    grant: 'token',
    request: runCancelRequestBody,
    response: runStatusBody,
    errors: ['RUN_NOT_FOUND', 'SESSION_BUSY'],
  },
  deleteRun: {
    method: 'DELETE',
    path: '/v1/runs/{runId}',
    summary: 'Ends a run and removes all that it recorded.',
    grant: 'token',
    response: runDeletedBody,
    errors: ['RUN_NOT_FOUND', 'RUN_IN_SESSION', 'SESSION_BUSY'],
  },
  decideApproval: {
    method: 'POST',
    path: '/v1/approvals/decisions',
    summary: 'Decides an approval, once.',
    grant: 'approveTools and providers; reviewerGroups for the runs of others',
    request: approvalDecisionBody,
    response: approvalResolutionBody,
    errors: ['INVALID_APPROVAL', 'APPROVAL_NOT_FOUND', 'APPROVAL_MISMATCH', 'APPROVAL_AUDIT_FAILED'],
  },
  listApprovals: {
    method: 'GET',
    path: '/v1/approvals',
    summary: 'The approvals that the caller can decide or has an interest in, the oldest first.',
    grant: 'token',
    query: approvalFiltersBody,
    response: approvalInboxBody,
    errors: ['INVALID_REQUEST'],
  },
  reportToolProgress: {
    method: 'POST',
    path: '/v1/tool-executions/progress',
    summary: 'Says that an execution got on.',
    grant: 'applicationTools and providers',
    request: toolProgressBody,
    response: toolProgressReceiptBody,
    errors: ['INVALID_TOOL_EXECUTION', 'TOOL_EXECUTION_NOT_FOUND', 'TOOL_EXECUTION_MISMATCH'],
  },
  completeTool: {
    method: 'POST',
    path: '/v1/tool-executions/results',
    summary: 'Gives the one result of an execution.',
    grant: 'applicationTools and providers',
    request: toolResultBody,
    response: toolResultReceiptBody,
    errors: [
      'INVALID_TOOL_EXECUTION',
      'TOOL_EXECUTION_NOT_FOUND',
      'TOOL_EXECUTION_MISMATCH',
      'TOOL_RESULT_CONFLICT',
      'TOOL_OUTPUT_LIMIT',
      'INVALID_TOOL_OUTPUT',
    ],
  },
  listExecutions: {
    method: 'GET',
    path: '/v1/tool-executions',
    summary: "The executions of the caller's runs that wait for results, the oldest first.",
    grant: 'applicationTools',
    query: executionFiltersBody,
    response: pendingExecutionsBody,
    errors: ['INVALID_REQUEST'],
  },
  followExecutions: {
    method: 'GET',
    path: '/v1/tool-executions/stream',
    summary: "Work for a process that serves the functions of all the caller's runs.",
    grant: 'applicationTools',
    stream: executionEventBody,
    errors: ['CONNECTION_CAPACITY'],
  },
  readExecution: {
    method: 'GET',
    path: '/v1/tool-executions/{executionId}',
    summary: 'What became of an execution.',
    grant: 'applicationTools',
    response: executionStatusBody,
    errors: ['TOOL_EXECUTION_NOT_FOUND'],
  },
  reconcileCall: {
    method: 'POST',
    path: '/v1/calls/reconcile',
    summary: 'Notes down what was found out about a call whose outcome nobody saw.',
    grant: 'token',
    request: reconcileRequestBody,
    response: reconcileReceiptBody,
    errors: ['RUN_NOT_FOUND', 'CALL_NOT_FOUND', 'CALL_NOT_UNCERTAIN'],
  },
  createSession: {
    method: 'POST',
    path: '/v1/sessions/create',
    summary: 'Makes a session.',
    grant: 'sessions: create',
    request: sessionCreateBody,
    response: sessionSnapshotBody,
    errors: ['INVALID_SESSION', 'UNKNOWN_PROVIDER', 'SESSIONS_UNAVAILABLE'],
  },
  readSession: {
    method: 'POST',
    path: '/v1/sessions/read',
    summary: 'Reads a session.',
    grant: 'sessions: read',
    request: sessionReadBody,
    response: sessionSnapshotBody,
    errors: ['INVALID_SESSION', 'SESSIONS_UNAVAILABLE', 'SESSION_NOT_FOUND'],
  },
  deleteSession: {
    method: 'POST',
    path: '/v1/sessions/delete',
    summary: 'Deletes a session and ends its run.',
    grant: 'sessions: delete',
    request: sessionDeleteBody,
    response: sessionDeletedBody,
    errors: [
      'INVALID_SESSION',
      'SESSIONS_UNAVAILABLE',
      'SESSION_NOT_FOUND',
      'SESSION_REVISION_CONFLICT',
      'SESSION_BUSY',
    ],
  },
} as const satisfies Record<string, Route>

/** The name of an address. */
export type RouteName = keyof typeof routes
