import { ToolpostError } from '../../core/error.ts'
import { named } from '../../core/json/named.ts'
import { limits } from '../../core/limits.ts'
import { controlSignal } from '../../core/tool/context.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'
import { Agent } from '../agent.ts'
import { type AgentConfig, defineAgent } from '../agent-config.ts'
import { endName, type FlowMove, type FlowPlace, flowDriver } from './flow-driver.ts'
import type { PartTool } from './flow-part.ts'

/** What every flow takes: the options of an agent that are not about a model. */
export type FlowOptions = Pick<
  AgentConfig,
  | 'name'
  | 'store'
  | 'approvals'
  | 'askExpiryMs'
  | 'answerWaitMs'
  | 'timeoutMs'
  | 'idle'
  | 'inputs'
  | 'onUncertain'
  | 'defaultToolMode'
  | 'contract'
  | 'profile'
  | 'rules'
  | 'killed'
  | 'grant'
  | 'parts'
>

const optionNames: readonly (keyof FlowOptions)[] = [
  'name',
  'store',
  'approvals',
  'askExpiryMs',
  'answerWaitMs',
  'timeoutMs',
  'idle',
  'inputs',
  'onUncertain',
  'defaultToolMode',
  'contract',
  'profile',
  'rules',
  'killed',
  'grant',
  'parts',
]

/** A flow before it is an agent. */
export interface FlowPlan {
  readonly kind: 'sequence' | 'parallel' | 'loop'
  readonly options: FlowOptions
  readonly parts: readonly PartTool[]
  /** The most steps that a run of it can have. */
  readonly stepsMax: number
  readonly failFast?: boolean
  readonly next: (place: FlowPlace) => FlowMove
}

/** Nothing of what a flow passes on may be shortened: its place in itself is read from it. */
const whole = {
  history: { entriesMax: Number.MAX_SAFE_INTEGER, charactersMax: Number.MAX_SAFE_INTEGER },
  results: { callBytesMax: limits.resultKeptBytesMax, runBytesMax: Number.MAX_SAFE_INTEGER },
}

/** Makes a flow: an agent whose steps a script proposes instead of a model. Errors: INVALID_AGENT. */
export function makeFlow({ kind, options, parts, stepsMax, failFast, next }: FlowPlan): Agent {
  const unknown = Object.keys(options).find((key) => !(optionNames as readonly string[]).includes(key))
  if (unknown !== undefined)
    throw new ToolpostError(
      'INVALID_AGENT',
      `${kind}() has no option ${named(unknown)}; beside its parts it takes ${optionNames.join(', ')}.`,
    )
  const defined = defineAgent({
    ...options,
    model: flowDriver(`flow/${kind}`, next),
    tools: [...parts.map((part) => part.tool), endTool()],
    // The step that ends the flow, and one more, in which nothing could be called.
    stepsMax: stepsMax + 2,
    callsMax: stepsMax * parts.length + 1,
  })
  const lines = parts.flatMap(({ structure }) => structure.map((line) => `  ${line}`))
  const structure = [`${kind} ${options.name}`, ...lines].join('\n')
  // Only the parts of the first step are told what the flow is told.
  const first = kind === 'parallel' ? parts : parts.slice(0, 1)
  const textOnly = first.find((part) => part.textOnly !== undefined)?.textOnly
  return new Agent({
    ...{ ...defined, ...whole, structure },
    ...(failFast === true ? { failFast } : {}),
    ...(textOnly === undefined ? {} : { textOnly }),
  })
}

function endTool(): Tool {
  const made = tool({
    name: endName,
    description: 'Ends the flow with a value',
    toolClass: 'read',
    schema: {
      type: 'object',
      properties: { output: true },
      required: ['output'],
      additionalProperties: false,
    },
    execute: (args) => controlSignal('output', (args as { output: unknown }).output),
  })
  return Object.freeze({ ...made, source: Object.freeze({ kind: 'runtime', trusted: true }) })
}
