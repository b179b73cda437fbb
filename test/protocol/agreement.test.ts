import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/core/json/value.ts'
import type { InferSchema } from '../../src/core/schema/infer.ts'
import type { JsonSchema } from '../../src/core/schema/json-schema.ts'
import type * as approval from '../../src/protocol/approvals/approval.ts'
import type * as approvalDecision from '../../src/protocol/approvals/approval-decision.ts'
import type * as approvalInbox from '../../src/protocol/approvals/approval-inbox.ts'
import type * as approvalResolution from '../../src/protocol/approvals/approval-resolution.ts'
import type * as errorBody from '../../src/protocol/error-body.ts'
import type * as access from '../../src/protocol/host/access.ts'
import type * as health from '../../src/protocol/host/health.ts'
import type * as protocolInfo from '../../src/protocol/host/protocol-info.ts'
import type * as providerList from '../../src/protocol/host/provider-list.ts'
import { namedBodies } from '../../src/protocol/named-bodies.ts'
import { parseBody } from '../../src/protocol/parse-body.ts'
import { routes } from '../../src/protocol/routes.ts'
import type * as applicationTool from '../../src/protocol/run/application-tool.ts'
import type * as approvalPolicy from '../../src/protocol/run/approval-policy.ts'
import type * as reconcile from '../../src/protocol/run/reconcile-request.ts'
import type * as runDeleted from '../../src/protocol/run/run-deleted.ts'
import type * as runRequest from '../../src/protocol/run/run-request.ts'
import type * as runResult from '../../src/protocol/run/run-result.ts'
import type * as runStatus from '../../src/protocol/run/run-status.ts'
import type * as usage from '../../src/protocol/run/usage.ts'
import type * as sessionRequest from '../../src/protocol/sessions/session-request.ts'
import type * as sessionSnapshot from '../../src/protocol/sessions/session-snapshot.ts'
import type { RunEvent } from '../../src/protocol/stream/run-event.ts'
import type { runEventSchemas } from '../../src/protocol/stream/run-event-schema.ts'
import type * as executionEvent from '../../src/protocol/tool-executions/execution-event.ts'
import type * as executionStatus from '../../src/protocol/tool-executions/execution-status.ts'
import type * as pending from '../../src/protocol/tool-executions/pending-executions.ts'
import type * as toolExecution from '../../src/protocol/tool-executions/tool-execution.ts'
import type * as toolProgress from '../../src/protocol/tool-executions/tool-progress.ts'
import type * as toolResult from '../../src/protocol/tool-executions/tool-result.ts'
import { fitting } from './fitting-value.ts'

/** A type in the one form in which two that mean the same are the same. */
type Form<Type> = [JsonValue] extends [Type]
  ? JsonValue
  : Type extends string | number | boolean | null
    ? Type
    : Type extends readonly (infer Item)[]
      ? Form<Item>[]
      : Type extends object
        ? string extends keyof Type
          ? Members<Type[keyof Type]>
          : { -readonly [Key in keyof Type]: Form<Type[Key]> }
        : Type

type Members<Member> = [JsonValue] extends [Member] ? JsonObject : { [key: string]: Form<Member> }

type IsSame<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2 ? true : false

/** The first condition lets the comparison wait until both are known. */
type Agrees<Value, Schema> = [Value] extends [never] ? false : IsSame<Form<Value>, Form<InferSchema<Schema>>>

/** Compiles only if every member is true. */
type AllTrue<Checks extends { readonly [name: string]: true }> = Checks

type EventOf<Type> = Extract<RunEvent, { type: Type }>

type Events = {
  [Type in keyof typeof runEventSchemas]: Agrees<EventOf<Type>, (typeof runEventSchemas)[Type]>
}

/** Each type of the wire beside the schema that stands under it. */
type Bodies = {
  access: Agrees<access.Access, typeof access.accessSchema>
  accessOptions: Agrees<access.AccessOptions, typeof access.accessOptionsSchema>
  applicationTool: Agrees<
    applicationTool.ApplicationToolDefinition,
    typeof applicationTool.applicationToolSchema
  >
  approval: Agrees<approval.WireApproval, typeof approval.approvalSchema>
  approvalDecision: Agrees<approvalDecision.ApprovalDecision, typeof approvalDecision.approvalDecisionSchema>
  approvalFilters: Agrees<approvalInbox.ApprovalFilters, typeof approvalInbox.approvalFiltersSchema>
  approvalInbox: Agrees<approvalInbox.ApprovalInbox, typeof approvalInbox.approvalInboxSchema>
  approvalPolicy: Agrees<approvalPolicy.ApprovalPolicy, typeof approvalPolicy.approvalPolicySchema>
  approvalResolution: Agrees<
    approvalResolution.ApprovalResolution,
    typeof approvalResolution.approvalResolutionSchema
  >
  errorBody: Agrees<errorBody.ErrorBody, typeof errorBody.errorBodySchema>
  executionEvent: Agrees<executionEvent.ExecutionEvent, typeof executionEvent.executionEventSchema>
  executionFilters: Agrees<pending.ExecutionFilters, typeof pending.executionFiltersSchema>
  executionStatus: Agrees<executionStatus.ExecutionStatus, typeof executionStatus.executionStatusSchema>
  health: Agrees<health.Health, typeof health.healthSchema>
  pendingExecutions: Agrees<pending.PendingExecutions, typeof pending.pendingExecutionsSchema>
  protocolInfo: Agrees<protocolInfo.ProtocolInfo, typeof protocolInfo.protocolInfoSchema>
  providerList: Agrees<providerList.ProviderList, typeof providerList.providerListSchema>
  reconcileReceipt: Agrees<reconcile.ReconcileReceipt, typeof reconcile.reconcileReceiptSchema>
  reconcileRequest: Agrees<reconcile.ReconcileRequest, typeof reconcile.reconcileRequestSchema>
  runCancelRequest: Agrees<runStatus.RunCancelRequest, typeof runStatus.runCancelRequestSchema>
  runDeleted: Agrees<runDeleted.RunDeleted, typeof runDeleted.runDeletedSchema>
  runFilters: Agrees<runStatus.RunFilters, typeof runStatus.runFiltersSchema>
  runPage: Agrees<runStatus.RunPage, typeof runStatus.runPageSchema>
  runRequest: Agrees<runRequest.RunRequest, typeof runRequest.runRequestSchema>
  runResult: Agrees<runResult.RunResult, typeof runResult.runResultSchema>
  sessionCreate: Agrees<sessionRequest.SessionCreate, typeof sessionRequest.sessionCreateSchema>
  sessionDelete: Agrees<sessionRequest.SessionDelete, typeof sessionRequest.sessionDeleteSchema>
  sessionDeleted: Agrees<sessionSnapshot.SessionDeleted, typeof sessionSnapshot.sessionDeletedSchema>
  sessionRead: Agrees<sessionRequest.SessionRead, typeof sessionRequest.sessionReadSchema>
  sessionSnapshot: Agrees<sessionSnapshot.SessionSnapshot, typeof sessionSnapshot.sessionSnapshotSchema>
  toolExecution: Agrees<toolExecution.ToolExecution, typeof toolExecution.toolExecutionSchema>
  toolExecutionIdentity: Agrees<
    toolExecution.ToolExecutionIdentity,
    typeof toolExecution.toolExecutionIdentitySchema
  >
  toolProgress: Agrees<toolProgress.ToolProgress, typeof toolProgress.toolProgressSchema>
  toolProgressReceipt: Agrees<toolProgress.ToolProgressReceipt, typeof toolProgress.toolProgressReceiptSchema>
  toolResult: Agrees<toolResult.ToolResult, typeof toolResult.toolResultSchema>
  toolResultReceipt: Agrees<toolResult.ToolResultReceipt, typeof toolResult.toolResultReceiptSchema>
  usage: Agrees<usage.WireUsage, typeof usage.usageSchema>
}

/** Never made: what it is for happens in the compiler. */
export type EveryTypeAgrees = AllTrue<Events> & AllTrue<Bodies>

/** That the comparison sees an optional key too many, another value, a key that became optional. */
export type EveryDifferenceIsSeen = AllTrue<{
  more: IsSame<Agrees<{ id: string; more?: number }, typeof toolExecution.toolExecutionSchema>, false>
  other: IsSame<Agrees<health.Health & { status: 'bad' }, typeof health.healthSchema>, false>
  optional: IsSame<Agrees<Partial<health.Health>, typeof health.healthSchema>, false>
}>

function isClosed(schema: JsonSchema): boolean {
  const forms = (schema.oneOf ?? [schema]) as readonly JsonSchema[]
  return forms.every((form) => form.additionalProperties === false)
}

describe('the bodies of the wire', () => {
  test('have a name each, no two the same', () => {
    const bodyNames = namedBodies.map(({ name }) => name)
    expect(new Set(bodyNames).size).toBe(bodyNames.length)
    expect(bodyNames.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([])
  })

  test.each(namedBodies.map((body) => [body.name, body] as const))(
    '%s takes every value that its schema describes',
    (_, body) => {
      fc.assert(
        fc.property(fitting(body.schema), (value) => {
          expect(parseBody(body, value)).toEqual({ ok: true, value })
        }),
        { numRuns: 30 },
      )
    },
  )

  test('are closed when a client sends them, and open when a host does', () => {
    for (const [name, route] of Object.entries(routes)) {
      const sent = ['request', 'query'].flatMap((key) => (key in route ? [route[key as never]] : []))
      const received = ['response', 'stream'].flatMap((key) => (key in route ? [route[key as never]] : []))
      const wrong = [
        ...sent.filter(({ schema }) => !isClosed(schema)),
        ...received.filter(({ schema }) => isClosed(schema)),
      ]
      expect({ name, wrong }).toEqual({ name, wrong: [] })
    }
  })
})
