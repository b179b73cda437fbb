export type {
  Cassette,
  CassetteAnswer,
  CassetteAsk,
  CassetteCall,
  CassetteChild,
  CassetteDecision,
  CassetteEnding,
  CassetteOutcome,
  CassettePart,
  CassetteRun,
  CassetteStep,
} from './testing/cassette/cassette.ts'
export type { CassetteSource, ExportOptions } from './testing/cassette/export-cassette.ts'
export { exportCassette } from './testing/cassette/export-cassette.ts'
export { formatReplay } from './testing/cassette/format-replay.ts'
export { parseCassette } from './testing/cassette/parse-cassette.ts'
export type { Redact } from './testing/cassette/redacted.ts'
export type { ReplayOptions } from './testing/cassette/replay.ts'
export { replay } from './testing/cassette/replay.ts'
export type {
  ReplayDifference,
  ReplayPlace,
  ReplayReport,
  UnplayedChild,
} from './testing/cassette/replay-report.ts'
export { countedIds } from './testing/counted-ids.ts'
export { evaluate } from './testing/evaluate.ts'
export type {
  EvaluatedCase,
  EvaluateOptions,
  EvaluationCase,
  EvaluationReport,
  EvaluationRun,
  Judgement,
} from './testing/evaluation.ts'
export type { EventViews, ToolResult } from './testing/event-view.ts'
export type { ExpectedCall } from './testing/expected-calls.ts'
export type { FindableType, FoundEvent } from './testing/find-events.ts'
export { findEventsByType, getToolCalls, getToolResults } from './testing/find-events.ts'
export { formatReport } from './testing/format-report.ts'
export type { LoggedEvent } from './testing/logged-event.ts'
export type { ManualClock } from './testing/manual-clock.ts'
export { manualClock } from './testing/manual-clock.ts'
export type { MatcherAnswer, RunMatchers } from './testing/matchers.ts'
export { matchers } from './testing/matchers.ts'
export type { TestOptions } from './testing/run-test.ts'
export { runTest } from './testing/run-test.ts'
export type { OpenPlace, Place, TestApi } from './testing/store-suite.ts'
export { storeSuite } from './testing/store-suite.ts'
export type { TestRun } from './testing/test-run.ts'
export type {
  Decided,
  DecideStep,
  InputStep,
  ModelAnswer,
  ModelStep,
  ResultStep,
  TestStep,
  UserStep,
  WaitStep,
} from './testing/test-step.ts'
export { decide, input, model, result, user, wait } from './testing/test-step.ts'
