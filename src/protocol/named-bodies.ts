import { approvalBody } from './approvals/approval.ts'
import { approvalDecisionBody } from './approvals/approval-decision.ts'
import { approvalFiltersBody, approvalInboxBody, approvalItemBody } from './approvals/approval-inbox.ts'
import { approvalResolutionBody } from './approvals/approval-resolution.ts'
import type { Body } from './body.ts'
import { errorBody, errorDetailsBody } from './error-body.ts'
import { accessBody, accessOptionsBody } from './host/access.ts'
import { healthBody } from './host/health.ts'
import { protocolInfoBody } from './host/protocol-info.ts'
import { providerInfoBody, providerListBody } from './host/provider-list.ts'
import { applicationToolBody } from './run/application-tool.ts'
import { approvalPolicyBody } from './run/approval-policy.ts'
import { reconcileReceiptBody, reconcileRequestBody } from './run/reconcile-request.ts'
import { runDeletedBody } from './run/run-deleted.ts'
import { runRequestBody } from './run/run-request.ts'
import { runResultBody } from './run/run-result.ts'
import { runCancelRequestBody, runFiltersBody, runPageBody, runStatusBody } from './run/run-status.ts'
import { usageBody } from './run/usage.ts'
import { sessionCreateBody, sessionDeleteBody, sessionReadBody } from './sessions/session-request.ts'
import { sessionDeletedBody, sessionSnapshotBody } from './sessions/session-snapshot.ts'
import { runEventBodies, runEventBody } from './stream/run-event-schema.ts'
import { executionEventBody } from './tool-executions/execution-event.ts'
import { executionStatusBody } from './tool-executions/execution-status.ts'
import {
  executionFiltersBody,
  pendingExecutionBody,
  pendingExecutionsBody,
} from './tool-executions/pending-executions.ts'
import { toolExecutionBody, toolExecutionIdentityBody } from './tool-executions/tool-execution.ts'
import { toolProgressBody, toolProgressReceiptBody } from './tool-executions/tool-progress.ts'
import { toolResultBody, toolResultReceiptBody } from './tool-executions/tool-result.ts'

/** Every body of the wire; the test of types and the OpenAPI document go through this list. */
export const namedBodies: readonly Body<object>[] = [
  accessBody,
  accessOptionsBody,
  applicationToolBody,
  approvalBody,
  approvalDecisionBody,
  approvalFiltersBody,
  approvalInboxBody,
  approvalItemBody,
  approvalPolicyBody,
  approvalResolutionBody,
  errorBody,
  errorDetailsBody,
  executionEventBody,
  executionFiltersBody,
  executionStatusBody,
  healthBody,
  pendingExecutionBody,
  pendingExecutionsBody,
  protocolInfoBody,
  providerInfoBody,
  providerListBody,
  reconcileReceiptBody,
  reconcileRequestBody,
  runCancelRequestBody,
  runDeletedBody,
  ...Object.values(runEventBodies),
  runEventBody,
  runFiltersBody,
  runPageBody,
  runRequestBody,
  runResultBody,
  runStatusBody,
  sessionCreateBody,
  sessionDeleteBody,
  sessionDeletedBody,
  sessionReadBody,
  sessionSnapshotBody,
  toolExecutionBody,
  toolExecutionIdentityBody,
  toolProgressBody,
  toolProgressReceiptBody,
  toolResultBody,
  toolResultReceiptBody,
  usageBody,
]
