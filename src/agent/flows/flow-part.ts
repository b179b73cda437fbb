import { filesOfRun, isRunnable, type Runnable } from '../../core/child.ts'
import { ToolpostError } from '../../core/error.ts'
import { encodeResult, plainJson } from '../../core/json/encode.ts'
import { named } from '../../core/json/named.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { ToolClass } from '../../core/policy/class.ts'
import type { SchemaSource } from '../../core/schema/schema.ts'
import { isControlSignal, type ToolContext } from '../../core/tool/context.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { resultValue } from '../agent-tool.ts'
import { bindAgent, definitionOf } from '../children/known-agents.ts'

/**
 * A function as a part of a flow: it gets what the part before it came to, and the context of a tool. What it returns
 * is told to the next part; a control signal or an agent works as in a tool's `execute`.
 */
export type StepFunction = (input: string, context: ToolContext) => unknown

/** The same with a name of its own, and what it does to the world. */
export interface FlowStep {
  readonly name: string
  readonly execute: StepFunction
  /** Without a class it counts as one that only looks: nobody is asked about it, and after a crash it runs again. */
  readonly toolClass?: ToolClass
  /** Milliseconds for the step. */
  readonly timeout?: number
}

/** What a flow is made of: agents, flows, and functions. */
export type FlowPart = Runnable | StepFunction | FlowStep

/** A part as the flow's own tool, by which its runs walk the way of every call. */
export interface PartTool {
  /** The name that the part was given. */
  readonly name: string
  readonly tool: Tool
  /** What it is, in lines. */
  readonly structure: readonly string[]
  /** The function that takes a text only: itself, or what it begins with. */
  readonly textOnly?: string
}

interface PartOptions {
  readonly parallel?: boolean
  readonly timeout?: number
}

const inputSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const

/** Makes the tool of a part; `place` counts from 1. Errors: INVALID_AGENT. */
export function partTool(part: FlowPart, place: number, name?: string, options: PartOptions = {}): PartTool {
  if (isRunnable(part)) return agentPart(part, place, name ?? part.name, options)
  const step = typeof part === 'function' ? { name: part.name || 'function', execute: part } : part
  if (typeof step?.execute !== 'function')
    throw new ToolpostError(
      'INVALID_AGENT',
      `Part ${place} of the flow is no agent, no flow, no function and no { name, execute }.`,
    )
  if (typeof part !== 'function') refuseUnknown(part, place)
  const title = name ?? step.name
  const { execute, toolClass, timeout } = step as FlowStep
  const made = tool({
    ...declared(place, title),
    ...options,
    ...(timeout === undefined ? {} : { timeout }),
    toolClass: toolClass ?? 'read',
    execute: async (args, context) => {
      const value = await execute(told(args), context)
      return isControlSignal(value) || isRunnable(value) ? value : passedOn(value)
    },
  })
  const own = toolClass === undefined ? internal(made) : made
  return { name: title, tool: own, structure: [`${place} step ${title}`], textOnly: title }
}

const stepKeys: readonly string[] = ['name', 'execute', 'toolClass', 'timeout'] satisfies (keyof FlowStep)[]

function refuseUnknown(step: object, place: number): void {
  const unknown = Object.keys(step).find((key) => !stepKeys.includes(key))
  if (unknown !== undefined)
    throw new ToolpostError(
      'INVALID_AGENT',
      `Part ${place} of the flow has no ${named(unknown)}; a step takes ${stepKeys.join(', ')}.`,
    )
}

function agentPart(agent: Runnable, place: number, name: string, options: PartOptions): PartTool {
  const made = tool({
    ...declared(place, name),
    ...options,
    toolClass: 'read',
    repeatable: true,
    execute: async (args, context) =>
      passedOn(
        resultValue(agent, await context.run(agent, { input: told(args), [filesOfRun]: 'first_step' })),
      ),
  })
  const own = internal(made)
  bindAgent(own, agent)
  const { structure, textOnly } = definitionOf(agent)
  const [first, ...others] = structure === undefined ? [`agent ${agent.name}`] : structure.split('\n')
  const label = name === agent.name ? '' : `${name}: `
  const lines = [`${place} ${label}${first}`, ...others]
  return { name, tool: own, structure: lines, ...(textOnly === undefined ? {} : { textOnly }) }
}

function told(args: unknown): string {
  return (args as { input: string }).input
}

function declared(place: number, name: string) {
  return {
    name: `${place}_${name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 100)}`,
    description: `Part ${place} of the flow: ${name}`,
    schema: inputSchema as SchemaSource,
    dedupe: 'run',
  } as const
}

/** An administrator's lists are about tools that models choose; what a flow is made of its developer chose. */
function internal(made: Tool): Tool {
  return Object.freeze({ ...made, source: Object.freeze({ kind: 'runtime', trusted: true }) })
}

/** What the next part is told, and the value itself where it is more than a text. */
function passedOn(value: unknown): { text: string; output?: JsonValue } {
  const { text, kind } = encodeResult(value)
  return kind === 'json' ? { text, output: plainJson(value) } : { text }
}
