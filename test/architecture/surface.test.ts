import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as client from '../../src/client.ts'
import { errorTable } from '../../src/core/error.ts'
import { eventTable } from '../../src/core/event-table.ts'
import * as host from '../../src/host.ts'
import * as main from '../../src/index.ts'
import * as sqlite from '../../src/sqlite.ts'
import * as testing from '../../src/testing.ts'
import * as wire from '../../src/testing-wire.ts'
import { type Exported, exportedBy } from './exported.ts'
import { parseSource, repository, sourceFiles } from './source.ts'

// Whoever changes what users can import changes it here too, and says so in the commit.

function door(path: string): Exported {
  return exportedBy(sourceFiles().find((file) => file.path === path)!)
}

/** Names as they stand here, one or more in a line. */
function names(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '')
}

describe('the surface', () => {
  test('of the package is its doors and nothing else', () => {
    const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      exports: object
    }
    const target = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })
    expect(exports).toEqual({
      '.': target('index'),
      './sqlite': target('sqlite'),
      './host': target('host'),
      './client': target('client'),
      './testing': target('testing'),
      './testing/wire': target('testing-wire'),
      './package.json': './package.json',
    })
  })

  test('of toolpost has these values', () => {
    expect(door('index.ts').values).toEqual(
      names(`
      Agent ApprovalDecision Session ToolpostError agent agentTool aiSdkDriver applicationTool decideTool decline
      errorTable eventTable explainDecision inputGuardrail isToolpostError lintProviders
      lintReport lintTools loop memoryStore outputGuardrail parallel providerTool
      scriptedModel sequence suspend tool toolClasses toolModes withFiles
    `),
    )
  })

  test('of toolpost has these types', () => {
    expect(door('index.ts').types).toEqual(
      names(`
      Actor AfterModelAnswer AfterToolAnswer AgentConfig AgentTool AgentToolDeclaration
      AgentToolOptions AnsweredPart Append AppendResult ApplicationToolConfig ApprovalAnswer ApprovalFunction
      ApprovalHandler ApprovalRequest AssistantPart BeforeModelAnswer BeforeToolAnswer
      CallEnd CallOutcome CallState ChangeAnswer ChangeFunction ChangedCall ChangedSession
      CheckAnswer ChildEvent ChildOptions ChildPlace ChildResult ChildStarter Clock Coercion Contract
      ControlSignal Decision Declined Dedupe DefinitionChange Delta DriveOptions Driver DriverPart
      DriverRequest EndedRunContext ErrorCode ErrorSource Event EventOf EventType ExecutableCall
      Execution ExecutionContext Executor Explanation Exposure FailedTimers Fault FilePart FileReference
      FinalizeContext Fingerprint FingerprintChange FinishReason FlowOptions FlowPart
      FlowStep ForkOptions GivenResult Grant GuardrailVerdict HandedBackResult HandedInStep
      HistoryBounds HistoryEntry HookPlace Hooks IdKind IdSource ImageDetail IndexQuery
      IndexRow InferSchema InputData InputFunction InputGuardrail InputPart InputRequest
      JsonValue KillEntry LayerEntry Lease LeaseProof LintFinding LintProvider LoopCondition
      LoopConfig MadeFilePart Migration Model ModelErrorAnswer ModelErrorContext
      ModelHookAnswer ModelHookRequest ModelMessage OnChange OnModelError OnToolFailure
      OutputGuardrail Owner ParallelConfig PlainProviderTool PolicyRule ProfileFacts
      Progress ProviderCallPart ProviderResultPart ProviderTool ProviderToolConfig
      ProviderToolSpecification ProviderToolType Random Reconciliation RedeemedBy ResultFile ResultWithFiles ResumeOptions ResumedRun
      RetryPolicy RunEnding RunEvent RunHookContext RunInput RunOptions RunResult RunState RunTimes Runnable
      RuntimeParts SchemaSource ScopeFunctions ScopeSession SequenceConfig SessionOptions
      SessionState SourcePart SpawnedChild StateOptions StateScope StateUpdate StateValues
      StepFunction StepResult Store StoredEvent StreamAppend StreamOptions Suspended TextReference
      TicketState TimerOptions Tool ToolClass ToolConfig ToolContext ToolFailure ToolHookCall
      ToolHookOutcome ToolMode ToolPart ToolResultPart ToolSource ToolSpecification ToolState Usage
      Verdict
    `),
    )
  })

  test('of toolpost/sqlite', () => {
    expect(door('sqlite.ts')).toEqual({
      values: names('processOwner sqlite'),
      types: names('SqliteOptions SqliteStore'),
    })
  })

  test('of toolpost/host', () => {
    expect(door('host.ts')).toEqual({
      values: names(`
      HostError createHost createHostApp hostFileSchema isHostError openApiDocument serve wireErrors
      `),
      types: names(`
      Access AccessOptions ApplicationToolDefinition ApplicationToolGrant ApprovalDecision
      ApprovalFilters ApprovalInbox ApprovalItem ApprovalPolicy ApprovalResolution Authentication Caller
      ErrorBody ErrorDetails ExecutionEvent ExecutionFilters ExecutionStatus FileProvider FileToken
      HistoryMessage Host HostApi HostAppOptions HostErrorOptions HostFeature HostFile HostLimits
      HostModule HostOptions PendingExecution PendingExecutions ProtocolInfo ProviderHealth ProviderInfo
      ProviderList ProviderOptions ReconcileReceipt ReconcileRequest ReviewedCall RunDeleted RunEvent RunEvents
      RunFilters RunPage RunRequest RunResult RunStatus RunningHost ServeOptions SessionCreate
      SessionDelete SessionDeleted SessionHandle SessionRead SessionSnapshot SessionVerb TerminalEvent
      TlsOptions TokenHolder TokenOptions ToolCall ToolExecution ToolExecutionIdentity ToolProgress
      ToolProgressReceipt ToolResult ToolResultReceipt Who WireApproval WireErrorCode WireUsage
      `),
    })
  })

  test('of toolpost/client', () => {
    expect(door('client.ts')).toEqual({
      values: names(`
      HostError createClient defineTool isHostError wireErrors
      `),
      types: names(`
      Access ApplicationToolDefinition ApplicationToolGrant ApprovalDecision ApprovalFilters
      ApprovalInbox ApprovalItem ApprovalPolicy ApprovalResolution Client ClientOptions Clock
      DiscoveryOperations ErrorBody ErrorDetails ExecutionEvent ExecutionFilters ExecutionStatus Fetch
      FollowOptions HistoryMessage HostErrorOptions HostFeature InferSchema InferSchemaInput JsonObject
      JsonValue PendingExecution PendingExecutions ProgressReport ProtocolInfo ProviderHealth
      ProviderInfo ProviderList ReconcileReceipt ReconcileRequest RequestOptions RunDeleted RunEvent RunFilters
      RunOperations RunPage RunRequest RunResult RunStatus SchemaSource ServeOptions ServedCall
      ServedFunction ServedRun ServedTool ServedToolConfig ServedTools SessionCreate SessionDelete
      SessionDeleted SessionHandle SessionOperations SessionRead SessionSnapshot SessionVerb
      StreamOptions TerminalEvent TicketOperations ToolCall ToolDecision ToolExecution
      ToolExecutionIdentity ToolProgress ToolProgressReceipt ToolResult ToolResultReceipt WireApproval
      WireErrorCode WireUsage WorkOptions
      `),
    })
  })

  test('of toolpost/testing', () => {
    expect(door('testing.ts')).toEqual({
      values: names(`
      countedIds decide evaluate exportCassette findEventsByType formatReplay formatReport getToolCalls
      getToolResults input manualClock matchers model parseCassette replay result runTest storeSuite user
      wait
    `),
      types: names(`
      Cassette CassetteAnswer CassetteAsk CassetteCall CassetteChild CassetteDecision CassetteEnding CassetteOutcome
      CassettePart CassetteRun CassetteSource CassetteStep DecideStep Decided EvaluateOptions EvaluatedCase EvaluationCase
      EvaluationReport EvaluationRun EventViews ExpectedCall ExportOptions FindableType FoundEvent
      InputStep Judgement LoggedEvent ManualClock MatcherAnswer ModelAnswer ModelStep OpenPlace Place Redact
      ReplayDifference ReplayOptions ReplayPlace ReplayReport ResultStep RunMatchers TestApi TestOptions TestRun
      TestStep ToolResult UnplayedChild UserStep WaitStep
    `),
    })
  })

  test('of toolpost/testing/wire', () => {
    expect(door('testing-wire.ts')).toEqual({
      values: names('wireServer'),
      types: names('WireFaults WireRequest WireScript WireServer WireServerOptions WireStep'),
    })
  })

  test('holds at run time what the doors say', () => {
    const loaded = [main, sqlite, host, client, testing, wire].map((each) => Object.keys(each).sort())
    expect(loaded).toEqual(
      ['index.ts', 'sqlite.ts', 'host.ts', 'client.ts', 'testing.ts', 'testing-wire.ts'].map(
        (path) => door(path).values,
      ),
    )
  })

  test('of the log has these events', () => {
    expect(Object.keys(eventTable)).toEqual(
      names(`
      session.started mode.changed run.started message.added output.refused tools.offered call.proposed
      call.migrated call.refused call.cancelled approval.requested approval.edited approval.decided
      input.requested input.given input.declined call.started execution.requested call.completed call.failed
      call.rested call.late call.reconciled child.started state.changed usage.recorded
      stop.requested run.ended
    `),
    )
  })

  test('of errors has these codes with these statuses', () => {
    const rows = Object.entries(errorTable).map(([code, { status }]) => `${code}:${status}`)
    expect(rows).toEqual(
      names(`
      INVALID_TOOL:400 INVALID_AGENT:400 INVALID_SCHEMA:400 INVALID_ARGUMENT:400
      NOT_ENCODABLE:400 DUPLICATE_TOOL:409 RESERVED_NAME:400
      UNKNOWN_TOOL:404 SESSION_NOT_FOUND:404 SESSION_EXISTS:409 SESSION_BUSY:409
      RUN_NOT_FOUND:404 DEFINITION_CHANGED:409 RUN_TIMEOUT:408 IDLE_TIMEOUT:408 OUTPUT_INVALID:422 RUN_OPEN:409 TICKET_NOT_FOUND:404 TICKET_DECIDED:409
      TICKET_MISMATCH:409 INVALID_DECISION:400 INVALID_INPUT:400 TOOL_OUTPUT_LIMIT:400 INVALID_TOOL_OUTPUT:400 CALL_NOT_FOUND:404 CALL_NOT_UNCERTAIN:409
      LIMIT_EXCEEDED:400 ILLEGAL_EVENT:500 STORE_CLOSED:500 STORE_CONFLICT:409
      STORE_CORRUPT:500 LEASE_LOST:409 MISSING_PACKAGE:500 MODEL_FAILED:502
      SCRIPT_EXHAUSTED:500
    `),
    )
  })

  test('is read with types told from values', () => {
    const text = "export { b, type C, a as d } from './x.ts'\nexport type { E } from './y.ts'"
    expect(exportedBy(parseSource('x.ts', text))).toEqual({ values: ['b', 'd'], types: ['C', 'E'] })
  })
})
