import type { Agent } from '../agent/agent.ts'
import type { ApprovalHandler } from '../agent/approver.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import type { RunEvent } from '../agent/run-event.ts'
import type { Clock } from '../core/clock.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import { checkAgent, checkShared } from './check-options.ts'
import { countedIds } from './counted-ids.ts'
import { describeStep } from './describe-step.ts'
import { rankOf } from './give-answers.ts'
import { readRecord } from './known-keys.ts'
import { playTurns, type Stage } from './play-turns.ts'
import { playedModel } from './played-model.ts'
import { refuseArgument } from './refuse-argument.ts'
import { ScriptPlay } from './script-play.ts'
import { ScriptTime, scriptClock } from './script-time.ts'
import type { ScriptedResults } from './scripted-catalog.ts'
import { type TestRun, testRunOf } from './test-run.ts'
import { readScript } from './test-script.ts'
import type { TestStep } from './test-step.ts'
import { testedAgent } from './tested-agent.ts'

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
  /** Default the agent's own clock; in a script with `wait(...)`, one that stands still, unless the agent's is such a one. */
  readonly clock?: Clock
  /** Stops the run that is under way. */
  readonly signal?: AbortSignal
}

const optionKeys: readonly (keyof TestOptions)[] = [
  ...(['mode', 'subject', 'sessionId', 'approvals', 'clock', 'signal'] as const),
]

/**
 * Runs an agent over a script: the user's words start runs, the model's answers are those of the script, the tools
 * really execute. The agent is used as it is but for its model, its store (a new one in memory) and its ids (they
 * count up); it is not changed, and scripts that run at once share nothing.
 *
 * A flow keeps its own script, and its agents their models: its test has `user(...)` and `wait(...)` steps alone.
 *
 * A script may end while the run waits for somebody: `result.tickets` are the asks, and the session goes on by
 * `decide`, `answer` and `resume`. Its model has the answers of the script and no others.
 *
 * Errors: SCRIPT_EXHAUSTED when the model is asked and the turn has no answer left; INVALID_ARGUMENT for an agent, a
 * step or an option that is none, when a run is over or waits and steps are left, which are listed, or when a step
 * stands where it can have no effect.
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
  checkAgent(agent)
  checkShared(readRecord(options, optionKeys, 'runTest()'))
  const turns = readScript(steps)
  const isFlow = definitionOf(agent).structure !== undefined
  if (isFlow) refuseAnswers(agent, steps)
  const moved = scriptClock(steps, options.clock, definitionOf(agent).parts.clock)
  const play = new ScriptPlay(steps)
  const time = moved === undefined ? undefined : new ScriptTime(moved, play)
  const results: ScriptedResults = {
    has: (tool) => play.lastAnswer?.given.result.has(tool) === true,
    of: (call) => play.lastAnswer?.given.result.get(call.name)?.values[rankOf(session, call)],
  }
  const tested = testedAgent(agent, {
    results,
    ...(isFlow ? {} : { driver: (clock: Clock) => playedModel(play, clock, time) }),
    approvals: options.approvals,
    script: {
      decides: steps.some(({ step }) => step === 'decide'),
      hasAnswer: (kind, asked) => asked.sessionId === session.id && play.has(kind, asked.tool.name),
    },
    clock: moved ?? options.clock,
    ids: countedIds(),
  })
  const { sessionId, subject, mode, signal } = options
  const session = await tested.startSession({
    ...(sessionId === undefined ? {} : { id: sessionId }),
    ...(subject === undefined ? {} : { subject }),
    ...(mode === undefined ? {} : { mode }),
  })
  const streamEvents: RunEvent[] = []
  const stage: Stage = {
    agent: tested,
    session,
    play,
    streamEvents,
    ...(time === undefined ? {} : { time }),
    ...(signal === undefined ? {} : { signal }),
  }
  const result = await playTurns(stage, turns)
  play.finish()
  return await testRunOf(session, result, streamEvents)
}

/** What a flow does next says its own script. */
function refuseAnswers({ name }: Agent, steps: readonly TestStep[]): void {
  const place = steps.findIndex(({ step }) => step !== 'user' && step !== 'wait')
  const step = steps[place]
  if (step === undefined) return
  refuseArgument(
    `Step ${place + 1}, ${describeStep(step)}, has no effect on the flow "${name}": its parts say what comes next, and its agents have models of their own. Give it user(...) and wait(...) steps alone, and its agents scripted models; asks are answered by "approvals".`,
  )
}
