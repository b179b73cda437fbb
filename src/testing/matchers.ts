import { ToolpostError } from '../core/error.ts'
import { type ExpectedCall, isCall, listExpected, madeExactly, sayCalls } from './expected-calls.ts'
import { findEventsByType, getToolCalls, getToolResults } from './find-events.ts'
import { matchesText, matchesValue } from './matches-value.ts'
import { shownValue } from './shown-value.ts'
import type { TestRun } from './test-run.ts'

/** What a matcher tells a test runner. */
export interface MatcherAnswer {
  readonly pass: boolean
  /** Says what was expected and what was there, or, of a match that should not be, what was there after all. */
  readonly message: () => string
}

/**
 * The matchers as methods of an assertion, to declare them to a test runner by module augmentation.
 * `Result` is what its assertions return.
 */
export interface RunMatchers<Result = void> {
  /** A call of the tool was made, with arguments that match: as the model wrote them. */
  toHaveCalledTool(name: string, args?: unknown): Result
  /** These are all the calls that were made, in this order. */
  toHaveCalledTools(calls: readonly ExpectedCall[]): Result
  /** The last run completed. */
  toHaveCompleted(): Result
  /** The last run ended so, or waits. */
  toHaveEndedAs(status: TestRun['status']): Result
  /** The last run completed with these words of the model; a regular expression has to be found in them. */
  toHaveAnswered(text: string | RegExp): Result
  /** A call of the tool was refused, with this code or of this category. */
  toHaveRefused(name: string, code?: string): Result
  /** Somebody was asked about a call of the tool. */
  toHaveAsked(name: string): Result
  /** A call of the tool came back with a value that matches. */
  toHaveResult(name: string, value?: unknown): Result
}

type Matchers = {
  readonly [Name in keyof RunMatchers]: (
    run: TestRun,
    ...expected: Parameters<RunMatchers[Name]>
  ) => MatcherAnswer
}

/**
 * Expectations of what `runTest` and `evaluate` give, for `expect.extend(matchers)` of Vitest, Jest and their like.
 * Arguments and results match in part: an object may have more members than were expected.
 *
 * Errors: INVALID_ARGUMENT when what stands in `expect(...)` is no run.
 */
export const matchers: Matchers = {
  toHaveCalledTool: (run, name, args) => {
    const { events } = whole(run)
    const pass = getToolCalls(events).some((call) => isCall(call, { name, args }))
    return answer(pass, `have called ${listExpected([{ name, args }])}`, sayCalls(events))
  },
  toHaveCalledTools: (run, calls) => {
    const { events } = whole(run)
    return answer(
      madeExactly(events, calls),
      `have called exactly, in this order: ${listExpected(calls)}`,
      sayCalls(events),
    )
  },
  toHaveCompleted: (run) => endedAs(whole(run), 'completed'),
  toHaveEndedAs: (run, status) => endedAs(whole(run), status),
  toHaveAnswered: (run, text) => {
    const { status, result } = whole(run)
    const pass = status === 'completed' && matchesText(result.text, text)
    return answer(pass, `have answered ${shownValue(text)}`, sayEnd(run))
  },
  toHaveRefused: (run, name, code) => {
    const found = refusals(whole(run)).filter((refusal) => refusal.name === name)
    const pass = found.some(
      (refusal) => code === undefined || [refusal.code, refusal.category].includes(code),
    )
    const kind = code === undefined ? '' : ` as "${code}"`
    return answer(
      pass,
      `have refused a call of ${name}${kind}`,
      `${sayRefusals(run)} ${sayCalls(run.events)}`,
    )
  },
  toHaveAsked: (run, name) => {
    const asked = asks(whole(run))
    const there = asked.length === 0 ? 'It asked about no call.' : `It asked about ${asked.join(', ')}.`
    return answer(
      asked.includes(name),
      `have asked about a call of ${name}`,
      `${there} ${sayCalls(run.events)}`,
    )
  },
  toHaveResult: (run, name, value) => {
    const results = getToolResults(whole(run).events, name).filter((each) => 'result' in each)
    const pass = results.some((each) => value === undefined || matchesValue(each.result, value))
    const what = value === undefined ? 'a result' : `the result ${shownValue(value)}`
    return answer(pass, `have ${what} of ${name}`, sayResults(run, name))
  },
}

function answer(pass: boolean, expected: string, there: string): MatcherAnswer {
  return { pass, message: () => `Expected the run ${pass ? 'not to' : 'to'} ${expected}. ${there}` }
}

/** Errors: INVALID_ARGUMENT. */
function whole(run: unknown): TestRun {
  if (typeof run === 'object' && run !== null && Array.isArray((run as Partial<TestRun>).events)) {
    return run as TestRun
  }
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    'This matcher looks at what runTest or evaluate gives; await it and hand it to expect(...).',
  )
}

function endedAs(run: TestRun, status: TestRun['status']): MatcherAnswer {
  const expected = status === 'waiting' ? 'be waiting' : `have ended as ${status}`
  return answer(run.status === status, expected, sayEnd(run))
}

function sayEnd({ status, result }: TestRun): string {
  if (status === 'waiting') return `It is waiting for answers to ${result.tickets.join(', ') || 'nothing'}.`
  return `It ended as ${status}: ${shownValue(result.text)}.`
}

interface Refusal {
  readonly name: string
  readonly code: string
  readonly category?: string
  readonly message: string
}

function refusals({ events }: TestRun): readonly Refusal[] {
  const names = namesOf(events)
  return findEventsByType(events, 'call.refused').map((event) => ({
    ...event,
    name: names.get(event.call) ?? '',
  }))
}

function sayRefusals(run: TestRun): string {
  const said = refusals(run).map(({ name, code, category, message }) => {
    const kind = category === undefined ? code : `${code}, ${category}`
    return `${name} (${kind}: ${shownValue(message)})`
  })
  return said.length === 0 ? 'It refused no call.' : `It refused ${said.join('; ')}.`
}

function asks({ events }: TestRun): readonly string[] {
  const names = namesOf(events)
  return findEventsByType(events, 'approval.requested').map(({ call }) => names.get(call) ?? '')
}

function namesOf(events: TestRun['events']): ReadonlyMap<string, string> {
  return new Map(getToolCalls(events).map(({ callId, name }) => [callId, name]))
}

function sayResults({ events }: TestRun, name: string): string {
  const said = getToolResults(events, name).map(({ result, error }) =>
    error === undefined ? shownValue(result) : `the error ${shownValue(error)}`,
  )
  return said.length === 0
    ? `${name} came back with nothing. ${sayCalls(events)}`
    : `It had ${said.join(', ')}.`
}
