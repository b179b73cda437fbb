import { ToolpostError } from '../../core/error.ts'
import { named } from '../../core/json/named.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { Agent } from '../agent.ts'
import { askPure } from './ask-pure.ts'
import { type FlowOptions, makeFlow } from './flow.ts'
import { type FlowMove, type FlowPlace, type PartOutcome, whatFlowWasTold } from './flow-driver.ts'
import { type FlowPart, partTool } from './flow-part.ts'

/**
 * Looks at what the body came to last, and how often it has run. It must be pure and give no promise: it is asked again
 * after a restart. What it throws fails the loop.
 */
export type LoopCondition = (last: JsonValue, times: number) => boolean

/** What `loop()` takes. */
export interface LoopConfig extends FlowOptions {
  /** What is repeated: it is told what it came to the time before. */
  readonly body: FlowPart
  /** Asked after every time: true ends the loop. */
  readonly until?: LoopCondition
  /** Asked before every time, the first with what the loop was told: false ends the loop. */
  readonly while?: LoopCondition
  /** The most times that the body runs, from 1 to 1,000; without `until` and `while` it runs exactly so often. */
  readonly timesMax: number
  /** What it means that the condition was not met after all of them; default `end`: the last outcome is the loop's. */
  readonly atLimit?: 'end' | 'fail'
}

const timesCeiling = 1_000

/** A flow that repeats one part. A part that fails fails the flow. Errors: INVALID_AGENT. */
export function loop(config: LoopConfig): Agent {
  const { body, until, while: goesOn, timesMax, atLimit = 'end', ...options } = config
  check(config)
  const part = partTool(body, 1)
  const where = `of the loop ${named(options.name)}`
  const isDone = (last: PartOutcome, times: number): boolean => {
    const value = last.output ?? last.text
    if (goesOn !== undefined) return !askPure(`"while" ${where}`, () => goesOn(value, times))
    return until !== undefined && times > 0 && askPure(`"until" ${where}`, () => until(value, times))
  }
  const next = ({ input, steps }: FlowPlace): FlowMove => {
    const times = steps.length
    const last = steps.at(-1)?.[0] ?? { isOk: true, text: input }
    if (!last.isOk) return { fail: `Time ${times} of the loop "${options.name}" failed: ${last.text}` }
    if (isDone(last, times)) return { end: last }
    const told =
      times === 0 ? whatFlowWasTold(options.name) : `What time ${times} of the loop "${options.name}" gave`
    if (times < timesMax) return { calls: [{ tool: part.tool.name, input: last.text }], told }
    const isUnmet = goesOn !== undefined || until !== undefined
    if (isUnmet && atLimit === 'fail')
      return { fail: `The loop "${options.name}" ran ${times} times and its condition was not met.` }
    return { end: last }
  }
  return makeFlow({ kind: 'loop', options, parts: [part], stepsMax: timesMax, next })
}

function check({ timesMax, until, while: goesOn, atLimit }: LoopConfig): void {
  if (!Number.isInteger(timesMax) || timesMax < 1 || timesMax > timesCeiling)
    refuse(`A loop needs "timesMax", a whole number from 1 to ${timesCeiling}.`)
  if (until !== undefined && goesOn !== undefined) refuse('A loop has "until" or "while", not both.')
  for (const [key, condition] of Object.entries({ until, while: goesOn }))
    if (condition !== undefined && typeof condition !== 'function') refuse(`"${key}" must be a function.`)
  if (atLimit !== undefined && atLimit !== 'end' && atLimit !== 'fail')
    refuse('"atLimit" must be "end" or "fail".')
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_AGENT', sentence)
}
