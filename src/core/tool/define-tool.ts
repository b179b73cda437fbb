import { ToolpostError } from '../error.ts'
import type { Executor } from '../executor.ts'
import { asJson } from '../json/as-json.ts'
import { bytesOf } from '../json/bytes-of.ts'
import { digestOf } from '../json/digest.ts'
import type { JsonValue } from '../json/value.ts'
import { whyNotJson } from '../json/why-not-json.ts'
import { limits } from '../limits.ts'
import { type CheckResult, type SchemaSource, type ToolSchema, toolSchema } from '../schema/schema.ts'
import { configFaults } from './config-faults.ts'
import type { Tool, ToolKeys } from './tool.ts'

/** A configuration whose argument types no longer matter: what the pipeline calls. */
export type LooseConfig = ToolKeys<SchemaSource, unknown>

const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const

/**
 * Declares a tool: checks the configuration, reads the schemas, and gives the frozen tool.
 * Errors: INVALID_TOOL with every fault, INVALID_SCHEMA with the pointer.
 */
export function defineTool(config: LooseConfig, executorOf: (config: LooseConfig) => Executor): Tool {
  const faults = configFaults(config)
  if (faults.length > 0) {
    const named = typeof config?.name === 'string' ? ` "${config.name}"` : ''
    throw new ToolpostError('INVALID_TOOL', `The tool${named} cannot be built: ${faults.join('; ')}.`, {
      details: { faults },
    })
  }
  const coercion = config.coercion === undefined ? {} : { coercion: config.coercion }
  const schema = toolSchema(config.schema ?? noArguments, {
    name: config.name,
    direction: 'input',
    ...coercion,
  })
  return Object.freeze({
    name: config.name,
    title: config.title ?? config.name,
    description: config.description,
    schema,
    ...schemasOf(config),
    ...classOf(config),
    version: versionOf(config, schema),
    exposure: config.exposure ?? 'direct',
    parallel: config.parallel ?? false,
    dedupe: config.dedupe ?? 'error',
    source: { kind: 'function', trusted: true },
    executor: executorOf(config),
    ...optionsOf(config),
  }) as Tool
}

function schemasOf(config: LooseConfig): Partial<Tool> {
  const { name, outputSchema, yieldSchema } = config
  return {
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: toolSchema(outputSchema, { name, direction: 'output' }) }),
    ...(yieldSchema === undefined ? {} : askingOf(config, yieldSchema)),
  }
}

function answerSchema({ name }: LooseConfig, yieldSchema: SchemaSource): ToolSchema {
  return toolSchema(yieldSchema, { name, direction: 'answer' })
}

/** The default stands in the log when the question opens, so it must pass before anybody is asked. */
function askingOf(config: LooseConfig, source: SchemaSource): Partial<Tool> {
  const { name, yieldTimeout, yieldDefault } = config
  const yieldSchema = answerSchema(config, source)
  const timeout = yieldTimeout === undefined ? {} : { yieldTimeoutMs: yieldTimeout }
  if (yieldDefault === undefined) return { yieldSchema, ...timeout }
  const value = asJson(yieldDefault)
  refuseLongDefault(name, value)
  const checked = value === undefined ? undefined : yieldSchema.check(value)
  const faults =
    checked === undefined ? [{ message: `it is no JSON: ${whyNotJson(yieldDefault)}` }] : faultsOf(checked)
  if (value !== undefined && faults.length === 0) return { yieldSchema, ...timeout, yieldDefault: { value } }
  const listed = faults.map(({ message }) => message).join('; ')
  throw new ToolpostError(
    'INVALID_TOOL',
    `The tool "${name}" cannot be built: its "yieldDefault" does not pass its "yieldSchema": ${listed}.`,
  )
}

function refuseLongDefault(name: string, value: JsonValue | undefined): void {
  if (value === undefined) return
  const bytes = bytesOf(value)
  if (bytes <= limits.answerBytesMax) return
  throw new ToolpostError(
    'INVALID_TOOL',
    `The tool "${name}" cannot be built: its "yieldDefault" has ${bytes} bytes as JSON, and an answer has at most ${limits.answerBytesMax}.`,
  )
}

/** A schema that checks asynchronously is asked when the default is used. */
function faultsOf(checked: CheckResult | Promise<CheckResult>): readonly { readonly message: string }[] {
  return checked instanceof Promise || checked.ok ? [] : checked.faults
}

/** A tool that only asks a person has no effect of its own. */
function classOf(config: LooseConfig): Partial<Tool> {
  const { toolClass } = config
  if (toolClass === undefined) return config.execute === undefined ? { toolClass: 'read' } : {}
  return typeof toolClass === 'function'
    ? { classOf: toolClass as (args: unknown) => unknown }
    : { toolClass }
}

function versionOf(config: LooseConfig, schema: ToolSchema): string {
  const { name, description, yieldSchema } = config
  const toolClass = typeof config.toolClass === 'function' ? 'by arguments' : (config.toolClass ?? null)
  const asks = yieldSchema === undefined ? {} : { asks: answerSchema(config, yieldSchema).jsonSchema }
  return digestOf({ name, description, schema: schema.jsonSchema, toolClass, ...asks })
}

function optionsOf(config: LooseConfig): Partial<Tool> {
  const { retry, timeout, repeatable, remember, prepare, finalize, check } = config
  return {
    ...(retry === undefined ? {} : { retry: Object.freeze({ ...retry }) }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(remember === undefined ? {} : { remember }),
    ...(prepare === undefined ? {} : { prepare: prepare as NonNullable<Tool['prepare']> }),
    ...(finalize === undefined ? {} : { finalize: finalize as NonNullable<Tool['finalize']> }),
    ...(check === undefined ? {} : { check: check as NonNullable<Tool['check']> }),
  }
}
