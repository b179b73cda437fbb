import { ToolpostError } from '../../core/error.ts'
import { digestOf } from '../../core/json/digest.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { toolSchema } from '../../core/schema/schema.ts'
import { nameFault } from '../../core/tool/name.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { remoteExecutor } from './remote-executor.ts'

/** What `applicationTool()` takes. */
export interface ApplicationToolConfig {
  /** 1 to 128 of letters, digits and `. _ : -`, beginning with a letter, a digit or `_`. */
  readonly name: string
  /** Prompt: the reason why a model chooses this tool. */
  readonly description: string
  /** What the arguments must be; nothing is converted. */
  readonly inputSchema: JsonSchema
  /** What the output must be; absent: any JSON. */
  readonly outputSchema?: JsonSchema
  /** Whether a person is asked before a call is handed out. Everything stricter that governs the agent counts as well. */
  readonly requiresApproval: boolean
}

const keys: readonly string[] = ['name', 'description', 'inputSchema', 'outputSchema', 'requiresApproval']

/**
 * Declares a tool that an application outside carries: a call of it is decided and claimed like any other, and handed out
 * by a ticket, which is redeemed with the output. Without a class of its own it counts as destructive.
 * Errors: INVALID_TOOL with every fault, INVALID_SCHEMA with the pointer.
 */
export function applicationTool(config: ApplicationToolConfig): Tool {
  refuseFaults(config)
  const { name, description, requiresApproval } = config
  const schema = toolSchema(config.inputSchema, { name, direction: 'input', coercion: 'off' })
  const output =
    config.outputSchema === undefined
      ? {}
      : { outputSchema: toolSchema(config.outputSchema, { name, direction: 'output' }) }
  const declared = { name, description, schema: schema.jsonSchema, output: output.outputSchema?.jsonSchema }
  return Object.freeze<Tool>({
    name,
    title: name,
    description,
    schema,
    ...output,
    // Who reviews its calls may change while one is out, and the same tool carries it all the same.
    version: digestOf({ application: declared }),
    exposure: 'direct',
    parallel: false,
    dedupe: 'error',
    source: Object.freeze({ kind: 'application', trusted: true }),
    review: requiresApproval ? 'ask' : 'run',
    executor: remoteExecutor,
  })
}

function refuseFaults(config: ApplicationToolConfig): void {
  const faults = faultsOf(config)
  if (faults.length === 0) return
  const named = typeof config?.name === 'string' ? ` "${config.name.slice(0, 200)}"` : ''
  throw new ToolpostError(
    'INVALID_TOOL',
    `The application's tool${named} cannot be built: ${faults.join('; ')}.`,
    { details: { faults } },
  )
}

function faultsOf(config: unknown): string[] {
  if (typeof config !== 'object' || config === null) return ['it must be an object']
  const { name, description, inputSchema, requiresApproval } = config as Record<string, unknown>
  const unknown = Object.keys(config).filter((key) => !keys.includes(key))
  const nameIs = nameFault(name)
  return [
    ...unknown.map((key) => `there is no key "${key}"; the keys are ${keys.join(', ')}`),
    ...(nameIs === undefined ? [] : [`"name" ${nameIs}`]),
    ...(typeof description === 'string' && description.trim() !== ''
      ? []
      : ['"description" must be a text that is not empty']),
    ...(inputSchema === undefined ? ['"inputSchema" is missing'] : []),
    ...(typeof requiresApproval === 'boolean' ? [] : ['"requiresApproval" must be true or false']),
  ]
}
