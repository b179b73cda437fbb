import type { Agent } from '../agent/agent.ts'
import { redefine } from '../agent/definition.ts'
import { isRecord } from '../core/known-keys.ts'
import { isToolMode, toolModes } from '../core/policy/mode.ts'
import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'

/** Errors: INVALID_ARGUMENT for what `agent()` did not make. */
export function checkAgent(given: unknown): asserts given is Agent {
  if (isRecord(given) && typeof (given as Partial<Agent>)[redefine] === 'function') return
  refuseArgument(`The first argument must be an agent, as agent({ ... }) makes it, not ${shownValue(given)}.`)
}

/** Errors: INVALID_ARGUMENT for a mode, a handler, a clock or a signal that is none. */
export function checkShared({ mode, approvals, clock, signal }: Readonly<Record<string, unknown>>): void {
  if (mode !== undefined && !isToolMode(mode))
    refuseArgument(`There is no tool mode "${String(mode)}"; the modes are ${toolModes.join(', ')}.`)
  if (approvals !== undefined && typeof approvals !== 'function' && !has(approvals, ['request']))
    refuseArgument(
      `"approvals" must be a function or have a "request" method; it is ${shownValue(approvals)}.`,
    )
  if (clock !== undefined && !has(clock, ['now', 'timer', 'sleep']))
    refuseArgument(`"clock" must be a clock, such as manualClock(), not ${shownValue(clock)}.`)
  if (signal !== undefined && !has(signal, ['addEventListener', 'throwIfAborted']))
    refuseArgument(`"signal" must be an AbortSignal, not ${shownValue(signal)}.`)
}

function has(value: unknown, methods: readonly string[]): boolean {
  return isRecord(value) && methods.every((name) => typeof value[name] === 'function')
}
