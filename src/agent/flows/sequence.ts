import { ToolpostError } from '../../core/error.ts'
import type { Agent } from '../agent.ts'
import { type FlowOptions, makeFlow } from './flow.ts'
import { type FlowMove, type FlowPlace, whatFlowWasTold } from './flow-driver.ts'
import { type FlowPart, type PartTool, partTool } from './flow-part.ts'

/** What `sequence()` takes. */
export interface SequenceConfig extends FlowOptions {
  /** Agents, flows and functions, one after another: each is told what the one before it came to. */
  readonly steps: readonly FlowPart[]
}

/**
 * A flow of one part after another. A part that fails fails the flow; the last one's end is the flow's.
 * Errors: INVALID_AGENT.
 */
export function sequence(config: SequenceConfig): Agent {
  const { steps, ...options } = config
  if (!Array.isArray(steps) || steps.length === 0)
    throw new ToolpostError('INVALID_AGENT', 'A sequence needs "steps", a list of at least one part.')
  const parts = steps.map((part, index) => partTool(part, index + 1))
  const next = (place: FlowPlace) => nextStep(options.name, parts, place)
  return makeFlow({ kind: 'sequence', options, parts, stepsMax: parts.length, next })
}

function nextStep(name: string, parts: readonly PartTool[], { input, steps }: FlowPlace): FlowMove {
  const last = steps.at(-1)?.[0]
  const which = `${steps.length}, "${parts[steps.length - 1]?.name}", of "${name}"`
  if (last?.isOk === false) return { fail: `Step ${which} failed: ${last.text}` }
  const part = parts[steps.length]
  const told = last === undefined ? whatFlowWasTold(name) : `What step ${which} gave`
  if (part !== undefined) return { calls: [{ tool: part.tool.name, input: last?.text ?? input }], told }
  return { end: last ?? { text: input } }
}
