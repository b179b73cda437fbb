export type { AgentTool, SessionOptions } from './agent/agent.ts'
export { Agent, agent } from './agent/agent.ts'
export type { AgentConfig } from './agent/agent-config.ts'
export type { ApprovalRequest } from './agent/approval-request.ts'
export type { ApprovalAnswer, ApprovalFunction, ApprovalHandler, Suspended } from './agent/approver.ts'
export { suspend } from './agent/approver.ts'
export type { HistoryBounds } from './agent/context.ts'
export type { DriveOptions } from './agent/drive.ts'
export type { Explanation } from './agent/explain-call.ts'
export type { HandedBackResult, HandedInStep, StepResult } from './agent/foreign-step.ts'
export type { Delta, RunEvent } from './agent/run-event.ts'
export type { RunResult } from './agent/run-result.ts'
export { Session } from './agent/session.ts'
export type { Clock } from './core/clock.ts'
export { ApprovalDecision } from './core/decision.ts'
export type {
  AssistantPart,
  Driver,
  DriverPart,
  DriverRequest,
  FinishReason,
  ModelMessage,
  ToolResultPart,
  ToolSpecification,
  Usage,
} from './core/driver.ts'
export type { ErrorCode } from './core/error.ts'
export { errorTable, isToolpostError, ToolpostError } from './core/error.ts'
export type { Actor, CallOutcome, Event, EventOf, EventType, RunEnding, TextReference } from './core/event.ts'
export { eventTable } from './core/event.ts'
export type {
  ExecutableCall,
  Execution,
  ExecutionContext,
  Executor,
  Progress,
  Reconciliation,
} from './core/executor.ts'
export type { Exposure } from './core/exposure.ts'
export type { Grant } from './core/grant.ts'
export type { IdKind, IdSource, Random } from './core/id.ts'
export type { JsonValue } from './core/json/value.ts'
export type { LintFinding, LintProvider } from './core/lint/finding.ts'
export { lintReport } from './core/lint/lint-report.ts'
export { lintProviders, lintTools } from './core/lint/lint-tools.ts'
export type { Owner } from './core/owner.ts'
export type { ToolClass } from './core/policy/class.ts'
export { toolClasses } from './core/policy/class.ts'
export { decideTool } from './core/policy/decide-tool.ts'
export type { Decision } from './core/policy/evaluate.ts'
export { explainDecision } from './core/policy/explain.ts'
export type { Contract, KillEntry, PolicyRule, ProfileFacts } from './core/policy/facts.ts'
export type { LayerEntry } from './core/policy/layers.ts'
export type { ToolMode } from './core/policy/mode.ts'
export { toolModes } from './core/policy/mode.ts'
export type { Verdict } from './core/policy/verdict.ts'
export type {
  CallEnd,
  CallState,
  HistoryEntry,
  RunState,
  SessionState,
  TicketState,
} from './core/run/state.ts'
export type { Coercion, Fault, InferSchema, SchemaSource } from './core/schema/schema.ts'
export type {
  Append,
  AppendResult,
  IndexQuery,
  IndexRow,
  Lease,
  LeaseProof,
  Store,
  StoredEvent,
  StreamAppend,
} from './core/store.ts'
export type { ControlSignal, FinalizeContext, ToolContext } from './core/tool/context.ts'
export type { CheckAnswer, Dedupe, RetryPolicy, Tool, ToolConfig, ToolSource } from './core/tool/tool.ts'
export { tool } from './executors/function/tool.ts'
export { aiSdkDriver } from './models/ai-sdk.ts'
export type { Model } from './models/model.ts'
export { scriptedModel } from './models/scripted.ts'
export type { RuntimeParts } from './runtime/parts.ts'
export { memoryStore } from './stores/memory/memory-store.ts'
