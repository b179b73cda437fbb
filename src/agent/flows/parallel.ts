import { ToolpostError } from '../../core/error.ts'
import { encodeResult, plainJson } from '../../core/json/encode.ts'
import { named } from '../../core/json/named.ts'
import { setOwn } from '../../core/json/set-own.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { limits } from '../../core/limits.ts'
import type { Agent } from '../agent.ts'
import { askPure } from './ask-pure.ts'
import { type FlowOptions, makeFlow } from './flow.ts'
import { type FlowMove, type FlowPlace, type PartOutcome, whatFlowWasTold } from './flow-driver.ts'
import { type FlowPart, type PartTool, partTool } from './flow-part.ts'

/** What `parallel()` takes. */
export interface ParallelConfig extends FlowOptions {
  /** By name, or as a list: at most 32. All are told what the flow was told. */
  readonly branches: Readonly<Record<string, FlowPart>> | readonly FlowPart[]
  /** True: a branch that fails stops the others. Default: they run to their ends. */
  readonly failFast?: boolean
  /** Milliseconds for which each branch may work. */
  readonly branchTimeoutMs?: number
  /** How many branches must succeed; default all of them. */
  readonly minSuccessful?: number
  /**
   * Makes one value of what the branches came to, by their names; those that failed are not there. It must be pure and
   * give no promise: it is asked again after a restart. What it throws fails the flow.
   */
  readonly merge?: (outcomes: Readonly<Record<string, JsonValue>>) => unknown
}

/**
 * A flow of parts beside each other. A branch that waits holds up nobody but itself. Without `merge`, the flow's value
 * has the branches' values by their names. Errors: INVALID_AGENT.
 */
export function parallel(config: ParallelConfig): Agent {
  const { branches, failFast = false, branchTimeoutMs, minSuccessful, merge, ...options } = config
  const given = Array.isArray(branches)
    ? branches.map((part: FlowPart) => [undefined, part] as const)
    : Object.entries(branches ?? {})
  check(config, given.length)
  const timeout = branchTimeoutMs === undefined ? {} : { timeout: branchTimeoutMs }
  const parts = given.map(([name, part], index) =>
    partTool(part, index + 1, name, { parallel: true, ...timeout }),
  )
  refuseTwice(parts)
  const next = ({ input, steps }: FlowPlace): FlowMove => {
    const outcomes = steps[0]
    if (outcomes === undefined)
      return {
        calls: parts.map((part) => ({ tool: part.tool.name, input })),
        told: whatFlowWasTold(options.name),
      }
    const failure = failureOf(options.name, parts, outcomes, minSuccessful ?? parts.length)
    if (failure !== undefined) return { fail: failure }
    const values = valuesOf(parts, outcomes)
    const merged =
      merge === undefined
        ? values
        : askPure(`"merge" of the flow ${named(options.name)}`, () => merge(values))
    return { end: { text: encodeResult(merged).text, output: plainJson(merged) } }
  }
  return makeFlow({ kind: 'parallel', options, parts, stepsMax: 1, failFast, next })
}

function failureOf(
  name: string,
  parts: readonly PartTool[],
  outcomes: readonly PartOutcome[],
  least: number,
): string | undefined {
  const failed = outcomes.flatMap(({ isOk, text }, index) =>
    isOk ? [] : [`"${parts[index]?.name}": ${text}`],
  )
  if (outcomes.length - failed.length >= least) return undefined
  return `${failed.length} of ${outcomes.length} branches of "${name}" failed: ${failed.join('; ')}`
}

function valuesOf(parts: readonly PartTool[], outcomes: readonly PartOutcome[]): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = {}
  for (const [index, { isOk, text, output }] of outcomes.entries())
    if (isOk) setOwn(values, parts[index]?.name ?? String(index), output ?? text)
  return values
}

function check({ failFast, minSuccessful, merge }: ParallelConfig, count: number): void {
  if (count === 0 || count > limits.stepCallsMax)
    refuse(`A parallel flow needs "branches", from 1 to ${limits.stepCallsMax} of them.`)
  const isCount = minSuccessful === undefined || (Number.isInteger(minSuccessful) && minSuccessful >= 0)
  if (!isCount || (minSuccessful ?? 0) > count)
    refuse(`"minSuccessful" must be a whole number from 0 to ${count}.`)
  if (failFast === true && minSuccessful !== undefined)
    refuse('A flow that stops at the first failure ("failFast") has no "minSuccessful".')
  if (merge !== undefined && typeof merge !== 'function') refuse('"merge" must be a function.')
}

function refuseTwice(parts: readonly PartTool[]): void {
  const names = parts.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    refuse(`Two branches are called "${twice}"; give the branches as { name: part } to tell them apart.`)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_AGENT', sentence)
}
