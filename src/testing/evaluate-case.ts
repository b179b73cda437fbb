import type { Agent } from '../agent/agent.ts'
import type { RunEvent } from '../agent/run-event.ts'
import type { RunResult } from '../agent/run-result.ts'
import { ToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import type { EvaluateOptions, EvaluationCase, EvaluationRun, Judgement } from './evaluation.ts'
import { listExpected, madeExactly, sayCalls } from './expected-calls.ts'
import { shownValue } from './shown-value.ts'
import { sayAndSee, type TestRun, testRunOf } from './test-run.ts'
import { testedAgent } from './tested-agent.ts'

const passAtDefault = 0.5

/** One try of a case. */
interface Tried {
  /** Whether it says nothing about the agent: its model failed, or something threw. */
  readonly broken: boolean
  readonly reasons: readonly string[]
  readonly run?: TestRun
  readonly judgement?: Judgement
}

/** Runs a case once, and anew as long as it breaks and tries are left. Throws only when the signal aborts. */
export async function evaluateCase(
  agent: Agent,
  testCase: EvaluationCase,
  options: EvaluateOptions,
): Promise<EvaluationRun> {
  const { retries = 0, signal } = options
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted()
    const { broken, ...found } = await tryCase(agent, testCase, options)
    signal?.throwIfAborted()
    if (!broken || attempts > retries) return { passed: found.reasons.length === 0, attempts, ...found }
  }
}

async function tryCase(agent: Agent, testCase: EvaluationCase, options: EvaluateOptions): Promise<Tried> {
  let run: TestRun | undefined
  try {
    const talk = await converse(agent, testCase, options)
    run = talk.run
    const { status, result } = run
    if (status === 'failed' && testCase.expectedStatus !== 'failed')
      return { broken: true, run, reasons: [`The run failed: ${result.text}`] }
    const found = [
      ...endFaults(testCase, talk),
      ...callFaults(testCase, run),
      ...(await expectFaults(testCase, run)),
    ]
    if (options.judge === undefined) return { broken: false, run, reasons: found }
    const judgement = readJudgement(await options.judge(run, testCase))
    return { broken: false, run, judgement, reasons: [...found, ...scoreFaults(judgement, options)] }
  } catch (error) {
    const what = run === undefined ? 'The run' : 'The judge'
    return {
      broken: true,
      ...(run === undefined ? {} : { run }),
      reasons: [`${what} threw: ${messageOf(error)}`],
    }
  }
}

interface Talk {
  readonly run: TestRun
  /** Inputs that were not said, because the run before them did not complete. */
  readonly unsaid: number
}

async function converse(
  agent: Agent,
  { input }: EvaluationCase,
  { results = {}, approvals, mode, subject, signal }: EvaluateOptions,
): Promise<Talk> {
  const standIns = { has: (tool: string) => Object.hasOwn(results, tool), of: standIn(results) }
  // The agent's own ids: what tools hand on as an idempotency key must differ from run to run.
  const tested = testedAgent(agent, { results: standIns, approvals })
  const session = await tested.startSession({
    ...(subject === undefined ? {} : { subject }),
    ...(mode === undefined ? {} : { mode }),
  })
  const streamEvents: RunEvent[] = []
  const texts = typeof input === 'string' ? [input] : input
  let said = 0
  let result: RunResult | undefined
  for (const text of texts) {
    if (result !== undefined && result.status !== 'completed') break
    result = await sayAndSee(session, text, streamEvents, signal)
    said += 1
  }
  return { run: await testRunOf(session, result as RunResult, streamEvents), unsaid: texts.length - said }
}

function standIn(results: Readonly<Record<string, unknown>>) {
  return ({ name, args }: { readonly name: string; readonly args: unknown }): unknown => {
    const value = results[name]
    return typeof value === 'function' ? value(args) : value
  }
}

function endFaults({ expectedStatus = 'completed' }: EvaluationCase, { run, unsaid }: Talk): string[] {
  const { status, result } = run
  const left = unsaid === 0 ? '' : `, with ${unsaid} ${unsaid === 1 ? 'input' : 'inputs'} left to say`
  const words = result.text === '' ? '' : `: ${shownValue(result.text)}`
  if (status === expectedStatus && unsaid === 0) return []
  return [`The run should be ${expectedStatus} at its end and is ${status}${left}${words}.`]
}

function callFaults({ expectedCalls }: EvaluationCase, { events }: TestRun): string[] {
  if (expectedCalls === undefined || madeExactly(events, expectedCalls)) return []
  return [`The run should call exactly, in this order: ${listExpected(expectedCalls)}. ${sayCalls(events)}`]
}

async function expectFaults({ expect }: EvaluationCase, run: TestRun): Promise<string[]> {
  try {
    return (await expect?.(run)) === false ? ['The expectation does not hold: it gave false.'] : []
  } catch (error) {
    return [messageOf(error)]
  }
}

function scoreFaults({ score, reason }: Judgement, { passAt = passAtDefault }: EvaluateOptions): string[] {
  return score >= passAt ? [] : [`The judge gave ${score}, and ${passAt} would pass: ${reason}`]
}

function readJudgement(given: unknown): Judgement {
  const { score, reason } = (given ?? {}) as Record<string, unknown>
  if (typeof score === 'number' && score >= 0 && score <= 1 && typeof reason === 'string')
    return { score, reason }
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `A judge gives { score: a number from 0 to 1, reason: a text }, not ${shownValue(given)}.`,
  )
}
