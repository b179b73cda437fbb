export type { AgentTool, SessionOptions, TimerOptions } from './agent/agent.ts'
export { Agent, agent } from './agent/agent.ts'
export type { AgentConfig } from './agent/agent-config.ts'
export type { AgentToolOptions } from './agent/agent-tool.ts'
export { agentTool } from './agent/agent-tool.ts'
export type { ApprovalRequest } from './agent/approval-request.ts'
export type { ApprovalAnswer, ApprovalFunction, ApprovalHandler } from './agent/approver.ts'
export type { HistoryBounds } from './agent/context.ts'
export type { AgentToolDeclaration, PlainProviderTool } from './agent/declared-tools.ts'
export type { Declined } from './agent/decline.ts'
export { decline } from './agent/decline.ts'
export type { DriveOptions, ResumeOptions, RunOptions, StreamOptions } from './agent/drive-input.ts'
export type { Explanation } from './agent/explain-call.ts'
export type { FlowOptions } from './agent/flows/flow.ts'
export type { FlowPart, FlowStep, StepFunction } from './agent/flows/flow-part.ts'
export type { LoopCondition, LoopConfig } from './agent/flows/loop.ts'
export { loop } from './agent/flows/loop.ts'
export type { ParallelConfig } from './agent/flows/parallel.ts'
export { parallel } from './agent/flows/parallel.ts'
export type { SequenceConfig } from './agent/flows/sequence.ts'
export { sequence } from './agent/flows/sequence.ts'
export type { HandedBackResult, HandedInStep, StepResult } from './agent/foreign-step.ts'
export type { ForkOptions } from './agent/fork-session.ts'
export type { GuardrailVerdict, InputGuardrail, OutputGuardrail } from './agent/guardrail.ts'
export { inputGuardrail, outputGuardrail } from './agent/guardrail.ts'
export type {
  AfterModelAnswer,
  AfterToolAnswer,
  BeforeModelAnswer,
  BeforeToolAnswer,
  EndedRunContext,
  ErrorSource,
  HookPlace,
  Hooks,
  ModelHookAnswer,
  ModelHookRequest,
  RunHookContext,
  ToolHookCall,
  ToolHookOutcome,
} from './agent/hooks.ts'
export type { InputFunction, InputRequest } from './agent/input-request.ts'
export type { ModelErrorAnswer, ModelErrorContext, OnModelError } from './agent/model-error.ts'
export type {
  ChangeAnswer,
  ChangedCall,
  ChangedSession,
  ChangeFunction,
  DefinitionChange,
  Migration,
  OnChange,
} from './agent/on-change.ts'
export type { RedeemedBy } from './agent/redeem.ts'
export type { ResumedRun } from './agent/resume-open.ts'
export type { ChildEvent, ChildPlace, Delta, RunEvent } from './agent/run-event.ts'
export type { RunResult } from './agent/run-result.ts'
export type { RunTimes } from './agent/run-times.ts'
export { Session } from './agent/session.ts'
export type { StateOptions } from './agent/state-options.ts'
export type { Suspended } from './agent/suspend.ts'
export { suspend } from './agent/suspend.ts'
export type { OnToolFailure, ToolFailure } from './agent/tool-failure.ts'
export { withFiles } from './agent/with-files.ts'
export type { ChildOptions, ChildResult, ChildStarter, Runnable, SpawnedChild } from './core/child.ts'
export type { Clock } from './core/clock.ts'
export { ApprovalDecision } from './core/decision.ts'
export type {
  AnsweredPart,
  AssistantPart,
  Driver,
  DriverPart,
  DriverRequest,
  FilePart,
  FinishReason,
  MadeFilePart,
  ModelMessage,
  ProviderCallPart,
  ProviderResultPart,
  ProviderToolSpecification,
  SourcePart,
  ToolResultPart,
  ToolSpecification,
  Usage,
} from './core/driver.ts'
export type { ErrorCode } from './core/error.ts'
export { errorTable, isToolpostError, ToolpostError } from './core/error.ts'
export type { Actor, CallOutcome, Event, EventOf, EventType, RunEnding, TextReference } from './core/event.ts'
export { eventTable } from './core/event-table.ts'
export type {
  ExecutableCall,
  Execution,
  ExecutionContext,
  Executor,
  Progress,
  Reconciliation,
} from './core/executor.ts'
export type { Exposure } from './core/exposure.ts'
export type { FileReference } from './core/file.ts'
export type { Fingerprint, FingerprintChange, ToolPart } from './core/fingerprint.ts'
export type { Grant } from './core/grant.ts'
export type { IdKind, IdSource, Random } from './core/id.ts'
export type { ImageDetail, InputData, InputPart, RunInput } from './core/input-part.ts'
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
export type { ProviderTool, ProviderToolConfig } from './core/tool/provider-tool.ts'
export { providerTool } from './core/tool/provider-tool.ts'
export type { ResultFile, ResultWithFiles } from './core/tool/result-with-files.ts'
export type { CheckAnswer, Dedupe, RetryPolicy, Tool, ToolConfig, ToolSource } from './core/tool/tool.ts'
export type { StateScope, StateUpdate, StateValues, ToolState } from './core/tool/tool-state.ts'
export { tool } from './executors/function/tool.ts'
export type { ApplicationToolConfig } from './executors/remote/application-tool.ts'
export { applicationTool } from './executors/remote/application-tool.ts'
export { aiSdkDriver } from './models/ai-sdk.ts'
export type { Model } from './models/model.ts'
export type { ProviderToolType } from './models/provider-tools/provider-tool-id.ts'
export { scriptedModel } from './models/scripted.ts'
export type { FailedTimers } from './runtime/due-timers.ts'
export type { RuntimeParts } from './runtime/parts.ts'
export type { GivenResult } from './runtime/redeem.ts'
export type { ScopeFunctions, ScopeSession } from './runtime/state/own-scopes.ts'
export { memoryStore } from './stores/memory/memory-store.ts'
