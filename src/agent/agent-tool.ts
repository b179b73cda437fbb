import type { ChildResult, Runnable } from '../core/child.ts'
import { isRunnable } from '../core/child.ts'
import { ToolpostError } from '../core/error.ts'
import { asJson } from '../core/json/as-json.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { checkOptions } from '../core/known-keys.ts'
import type { ToolClass } from '../core/policy/class.ts'
import type { SchemaSource } from '../core/schema/schema.ts'
import type { Tool } from '../core/tool/tool.ts'
import { tool } from '../executors/function/tool.ts'
import { bindAgent } from './children/known-agents.ts'

/** How a model sees an agent that it can call. */
export interface AgentToolOptions {
  readonly name: string
  /** Prompt: what the agent is good for. */
  readonly description: string
  readonly title?: string
  /**
   * Default `read`: the call itself does nothing but its agent's calls, each of which is judged by its own class, and
   * never more freely than this run's.
   */
  readonly toolClass?: ToolClass
  /** What the model hands over; default `{ input }`, a text. Anything else reaches the agent as the text of its JSON. */
  readonly schema?: SchemaSource
  /** True: may run beside its neighbours in a step. */
  readonly parallel?: boolean
  /** Milliseconds for which the agent may work; the time in which it waits for a person while nobody drives it does not count. */
  readonly timeout?: number
}

const optionKeys: readonly (keyof AgentToolOptions)[] = [
  ...(['name', 'description', 'title', 'toolClass', 'schema', 'parallel', 'timeout'] as const),
]

const inputSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'What the agent is told.' } },
  required: ['input'],
  additionalProperties: false,
} as const

/**
 * An agent, or a flow, as a tool of another agent: a call runs it in a session of its own, under this run's policy, and
 * its output, or its last words, are the result. After a crash the call goes on with the run that it started.
 * Errors: INVALID_ARGUMENT for what is no agent, INVALID_TOOL, INVALID_SCHEMA.
 */
export function agentTool(agent: Runnable, options: AgentToolOptions): Tool {
  if (!isRunnable(agent)) throw new ToolpostError('INVALID_ARGUMENT', 'agentTool() takes an agent or a flow.')
  checkOptions(options, optionKeys, 'agentTool()')
  const made = tool({
    toolClass: 'read',
    schema: inputSchema as SchemaSource,
    ...options,
    repeatable: true,
    execute: async (args, context) => resultValue(agent, await context.run(agent, { input: told(args) })),
  })
  bindAgent(made, agent)
  return made
}

/** What a child came to, for who called it; one that came to no good end is thrown. */
export function resultValue({ name }: Runnable, { status, text, output }: ChildResult): unknown {
  if (status === 'completed') return output ?? text
  throw new Error(`The agent "${name}" ended as ${status}: ${text}`)
}

function told(args: unknown): string {
  const { input, ...others } = (args ?? {}) as { input?: unknown }
  if (typeof input === 'string' && Object.keys(others).length === 0) return input
  return stringifyJson(asJson(args) ?? null)
}
