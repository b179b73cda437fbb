import type { JsonValue } from '../core/json/value.ts'
import { getToolCalls } from './find-events.ts'
import type { LoggedEvent } from './logged-event.ts'
import { matchesValue } from './matches-value.ts'
import { shownValue } from './shown-value.ts'

/** A call that is expected: of this tool, or of this tool with arguments that match. */
export type ExpectedCall = string | { readonly name: string; readonly args?: unknown }

/** A call as a model made it. */
export interface MadeCall {
  readonly name: string
  readonly args: JsonValue
}

/** Whether these are all the calls of a log, in this order. */
export function madeExactly(events: readonly LoggedEvent[], expected: readonly ExpectedCall[]): boolean {
  const calls = getToolCalls(events)
  return calls.length === expected.length && calls.every((call, place) => isCall(call, expected[place]))
}

/** Whether a call is the one expected. */
export function isCall(call: MadeCall, expected: ExpectedCall | undefined): boolean {
  if (typeof expected !== 'object') return call.name === expected
  return (
    call.name === expected.name && (expected.args === undefined || matchesValue(call.args, expected.args))
  )
}

/** The calls of a log in a sentence. */
export function sayCalls(events: readonly LoggedEvent[]): string {
  const calls = getToolCalls(events).map(({ name, args }) => `${name}(${shownValue(args)})`)
  return calls.length === 0 ? 'It called no tool.' : `It called ${calls.join(', ')}.`
}

/** Calls that are expected, in a list. */
export function listExpected(expected: readonly ExpectedCall[]): string {
  if (expected.length === 0) return 'no tool'
  return expected.map(shownExpected).join(', ')
}

function shownExpected(expected: ExpectedCall): string {
  if (typeof expected === 'string') return expected
  return expected.args === undefined ? expected.name : `${expected.name}(${shownValue(expected.args)})`
}
