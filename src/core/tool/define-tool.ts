import { ToolpostError } from '../error.ts'
import type { Executor } from '../executor.ts'
import { digestOf } from '../json/digest.ts'
import { type SchemaSource, type ToolSchema, toolSchema } from '../schema/schema.ts'
import { configFaults } from './config-faults.ts'
import type { Tool, ToolConfig } from './tool.ts'

/** A configuration whose argument types no longer matter: what the pipeline calls. */
export type LooseConfig = ToolConfig<SchemaSource, unknown>

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
    ...(config.prepare === undefined ? {} : preparedSchema(config)),
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: toolSchema(outputSchema, { name, direction: 'output' }) }),
    ...(yieldSchema === undefined
      ? {}
      : { yieldSchema: toolSchema(yieldSchema, { name, direction: 'input' }) }),
  }
}

/** A schema that transforms may have an output that JSON Schema cannot show; then nothing can check it. */
function preparedSchema(config: LooseConfig): Partial<Tool> {
  try {
    const output = toolSchema(config.schema ?? noArguments, { name: config.name, direction: 'output' })
    return { preparedSchema: toolSchema(output.jsonSchema, { name: config.name, direction: 'output' }) }
  } catch {
    return {}
  }
}

function classOf(config: LooseConfig): Partial<Tool> {
  const { toolClass } = config
  if (toolClass === undefined) return {}
  return typeof toolClass === 'function'
    ? { classOf: toolClass as (args: unknown) => unknown }
    : { toolClass }
}

function versionOf(config: LooseConfig, schema: ToolSchema): string {
  const toolClass = typeof config.toolClass === 'function' ? 'by arguments' : (config.toolClass ?? null)
  return digestOf({
    name: config.name,
    description: config.description,
    schema: schema.jsonSchema,
    toolClass,
  })
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
