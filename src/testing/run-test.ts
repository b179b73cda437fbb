import type { Agent } from '../agent/agent.ts'
import type { ApprovalHandler } from '../agent/approver.ts'
import { type Definition, redefine } from '../agent/definition.ts'
import type { RunEvent } from '../agent/run-event.ts'
import type { RunResult } from '../agent/run-result.ts'
import type { Session } from '../agent/session.ts'
import type { Clock } from '../core/clock.ts'
import type { ExecutableCall } from '../core/executor.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { CallState } from '../core/run/state.ts'
import { scriptedModel } from '../models/scripted.ts'
import { memoryStore } from '../stores/memory/memory-store.ts'
import { countedIds } from './counted-ids.ts'
import { type LoggedEvent, loggedEvents } from './logged-event.ts'
import { ScriptPlay } from './script-play.ts'
import { type ScriptedResults, scriptedCatalog } from './scripted-catalog.ts'
import { readScript, type TestTurn } from './test-script.ts'
import type { TestStep } from './test-step.ts'

/** How a script is run. */
export interface TestOptions {
  /** The session's mode; default the agent's own. */
  readonly mode?: ToolMode
  /** Whose session it is; default `local`. */
  readonly subject?: string
  /** Default `session_1`. */
  readonly sessionId?: string
  /** Who answers asks in place of the agent's own handler. */
  readonly approvals?: ApprovalHandler
  /** Default the agent's own clock. */
  readonly clock?: Clock
  /** Stops the run that is under way. */
  readonly signal?: AbortSignal
}

/** What a script left behind; status, iterations, output and result are those of its last run. */
export interface TestRun {
  readonly session: Session
  /** The whole log. */
  readonly events: readonly LoggedEvent[]
  /** What the runs streamed: the same facts from the first run on, and the deltas between them. */
  readonly streamEvents: readonly RunEvent[]
  readonly status: RunResult['status']
  /** Answers of the model. */
  readonly iterations: number
  /** The value that a tool ended the run with, or the model's last words; undefined when the run did not complete. */
  readonly output: JsonValue | undefined
  readonly result: RunResult
}

/**
 * Runs an agent over a script: the user's words start runs, the model's answers are those of the script, the tools
 * really execute. The agent is used as it is but for its model, its store (a new one in memory) and its ids (they
 * count up); it is not changed, and scripts that run at once share nothing.
 *
 * Errors: SCRIPT_EXHAUSTED when the model is asked and the turn has no answer left; INVALID_ARGUMENT when a run is
 * over and steps are left, which are listed, or when a step stands where it can have no effect.
 *
 * @example
 * const run = await runTest(shopkeeper, [
 *   user('Can I have 3 of ADK-1?'),
 *   model({ toolCalls: [{ name: 'check_stock', args: { sku: 'ADK-1', quantity: 3 } }] }),
 *   model('Yes.'),
 * ])
 * findEventsByType(run.events, 'tool_result')
 */
export async function runTest(
  agent: Agent,
  steps: readonly TestStep[],
  options: TestOptions = {},
): Promise<TestRun> {
  const turns = readScript(steps)
  const play = new ScriptPlay(steps)
  const results: ScriptedResults = {
    has: (tool) => play.lastAnswer?.results.has(tool) === true,
    of: (call) => play.lastAnswer?.results.get(call.name)?.[rankOf(session, call)],
  }
  const tested = agent[redefine]((definition) => scriptedDefinition(definition, play, results, options))
  const { sessionId, subject, mode, signal } = options
  const session = await tested.startSession({
    ...(sessionId === undefined ? {} : { id: sessionId }),
    ...(subject === undefined ? {} : { subject }),
    ...(mode === undefined ? {} : { mode }),
  })
  const streamEvents: RunEvent[] = []
  const result = await playTurns(session, turns, play, streamEvents, signal)
  const { status, steps: iterations } = result
  const events = loggedEvents(await session.events())
  return { session, events, streamEvents, status, iterations, output: outputOf(result), result }
}

function scriptedDefinition(
  definition: Definition,
  play: ScriptPlay,
  results: ScriptedResults,
  { approvals, clock = definition.parts.clock }: TestOptions,
): Definition {
  return {
    ...definition,
    driver: scriptedModel((request) => play.answer(request)),
    catalog: scriptedCatalog(definition.catalog, results),
    parts: { ...definition.parts, store: memoryStore(), ids: countedIds(), clock },
    // As in agent(): who has somebody to ask is governed.
    ...(approvals === undefined ? {} : { approvals, layers: { ...definition.layers, governed: true } }),
  }
}

async function playTurns(
  session: Session,
  turns: readonly TestTurn[],
  play: ScriptPlay,
  streamEvents: RunEvent[],
  signal: AbortSignal | undefined,
): Promise<RunResult> {
  let result: RunResult | undefined
  for (const turn of turns) {
    play.begin(turn)
    const stream = session.stream(turn.text, signal === undefined ? {} : { signal })
    let next = await stream.next()
    for (; next.done !== true; next = await stream.next()) streamEvents.push(next.value)
    result = next.value
    play.end(result)
  }
  return result as RunResult
}

/** How many calls of the same tool stand before a call in its answer. */
function rankOf(session: Session, { id, name }: ExecutableCall): number {
  const calls = session.state.calls
  const call = calls.get(id)
  const isEarlier = (each: CallState) =>
    each.run === call?.run && each.step === call.step && each.name === name && each.index < call.index
  return [...calls.values()].filter(isEarlier).length
}

function outputOf({ status, output, text }: RunResult): JsonValue | undefined {
  return status === 'completed' ? (output ?? text) : undefined
}
