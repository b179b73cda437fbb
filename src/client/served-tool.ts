import type { JsonObject, JsonValue } from '../core/json/value.ts'
import { isRecord } from '../core/known-keys.ts'
import {
  type CheckResult,
  type InferSchema,
  type InferSchemaInput,
  type SchemaSource,
  type ToolSchema,
  toolSchema,
} from '../core/schema/schema.ts'
import { checkGiven } from '../protocol/check-given.ts'
import { HostError } from '../protocol/host-error.ts'
import type { ServedCall } from './served-call.ts'

/** A function of the application without a definition of its own. What it returns is the output: any JSON; nothing is null. */
export type ServedFunction = (args: JsonObject, context: ServedCall) => unknown

/** What `defineTool` takes. */
export interface ServedToolConfig<Input extends SchemaSource, Output extends SchemaSource> {
  /** Prompt: the reason why a model chooses this tool. */
  readonly description: string
  /** What the arguments must be: a Standard Schema (Zod 4, ArkType, Valibot), or a JSON Schema. */
  readonly inputSchema: Input
  /** What the output must be; absent = any JSON. */
  readonly outputSchema?: Output
  /** True asks for a review; false cannot lower what the host or the token requires. */
  readonly requiresApproval?: boolean
  /** Executes a call. What it throws is never sent anywhere. */
  readonly execute: (
    args: InferSchema<Input>,
    context: ServedCall,
  ) => InferSchemaInput<Output> | Promise<InferSchemaInput<Output>>
}

/** A function of the application with its definition; `defineTool` makes it. */
export interface ServedTool {
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly outputSchema?: ToolSchema
  readonly requiresApproval?: boolean
  readonly execute: (args: never, context: ServedCall) => unknown
}

/** The functions of an application by their names. */
export type ServedTools = Readonly<Record<string, ServedFunction | ServedTool>>

/**
 * Declares a function of the application, so that its definition need not be written beside it: arguments are given to it
 * as its schema makes them, and outputs are checked before they are sent. Errors: INVALID_SCHEMA with the pointer;
 * INVALID_REQUEST for a key that is not known.
 */
export function defineTool<const Input extends SchemaSource, const Output extends SchemaSource = true>(
  config: ServedToolConfig<Input, Output>,
): ServedTool {
  checkGiven(
    config,
    ['description', 'inputSchema', 'outputSchema', 'requiresApproval', 'execute'],
    'defineTool()',
  )
  const { description, inputSchema, outputSchema, requiresApproval, execute } = config
  if (typeof execute !== 'function')
    throw new HostError('INVALID_REQUEST', 'defineTool(): "execute" has to be a function.')
  return Object.freeze({
    description,
    inputSchema: toolSchema(inputSchema, { direction: 'input', coercion: 'off' }),
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: toolSchema(outputSchema, { direction: 'output', coercion: 'off' }) }),
    ...(requiresApproval === undefined ? {} : { requiresApproval }),
    execute: execute as ServedTool['execute'],
  })
}

/** Errors: INVALID_REQUEST, and nothing is sent, for what is neither a function nor made by `defineTool`. */
export function checkTools(tools: ServedTools): void {
  if (!isRecord(tools))
    throw new HostError('INVALID_REQUEST', 'The tools are functions by their names; nothing was sent.')
  const wrong = Object.keys(tools).filter((name) => !isServed(tools[name]))
  if (wrong.length === 0) return
  const text = `The tool ${wrong.join(', ')} is neither a function nor made by defineTool(); nothing was sent.`
  throw new HostError('INVALID_REQUEST', text)
}

function isServed(tool: unknown): boolean {
  if (typeof tool === 'function') return true
  return isRecord(tool) && typeof tool.execute === 'function' && isRecord(tool.inputSchema)
}

/** Calls a function and gives its output. Throws what it throws, and a TypeError for arguments or an output that its schemas refuse. */
export async function callTool(
  tool: ServedFunction | ServedTool,
  args: JsonObject,
  context: ServedCall,
): Promise<unknown> {
  if (typeof tool === 'function') return (await tool(args, context)) ?? null
  const given = passed(await tool.inputSchema.check(args), 'arguments', context)
  const output = (await tool.execute(given as never, context)) ?? null
  if (tool.outputSchema === undefined) return output
  // What is no JSON fails its check, or is refused when it is sent.
  return passed(await tool.outputSchema.check(output as JsonValue), 'output', context)
}

function passed(result: CheckResult, what: string, { name }: ServedCall): unknown {
  if (result.ok) return result.value
  const faults = result.faults.map(({ message }) => message).join('; ')
  throw new TypeError(`The ${what} of ${name} does not pass its schema: ${faults}.`)
}
