import { ToolpostError } from '../core/error.ts'
import type { ToolClass } from '../core/policy/class.ts'
import { isTool } from '../core/tool/is-tool.ts'
import { isProviderTool, type ProviderTool, providerTool } from '../core/tool/provider-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import {
  elsewhereFault,
  type ProviderToolType,
  providerToolId,
  providerToolTypes,
} from '../models/provider-tools/provider-tool-id.ts'
import { readResultName } from './read-result.ts'

/**
 * A tool of the model's provider in one plain object: `{ type: 'web_search' }`. It becomes the tool of that kind of
 * whatever provider the agent's model is of. With `type: 'provider'` and an `id` it is what the AI SDK's provider
 * packages make: `openai.tools.webSearch()`.
 */
export interface PlainProviderTool {
  readonly type: ProviderToolType | 'provider'
  readonly id?: string
  /** Default the type. */
  readonly name?: string
  /** Settings for the provider, in the words of its package. */
  readonly args?: Readonly<Record<string, unknown>>
  readonly toolClass?: ToolClass
}

/** What an agent's `tools` may hold. */
export type AgentToolDeclaration = Tool | ProviderTool | PlainProviderTool

/** An agent's tools: those that are run here, and those that the provider runs. */
export interface DeclaredTools {
  readonly tools: readonly Tool[]
  /** By name. */
  readonly providerTools: readonly ProviderTool[]
}

/** Reads an agent's `tools` for a model; `driver` is the model's name. Errors: INVALID_AGENT, INVALID_TOOL, DUPLICATE_TOOL, RESERVED_NAME. */
export function readTools(declared: readonly AgentToolDeclaration[], driver: string): DeclaredTools {
  if (!Array.isArray(declared)) refuse('"tools" must be a list of tools.')
  const tools: Tool[] = []
  const providerTools: ProviderTool[] = []
  for (const [index, each] of (declared as readonly unknown[]).entries()) {
    if (isTool(each)) tools.push(each)
    else providerTools.push(readProviderTool(each, driver, `tools[${index}]`))
  }
  providerTools.sort((a, b) => (a.name < b.name ? -1 : 1))
  refuseTwice([...tools, ...providerTools], providerTools)
  return { tools, providerTools: Object.freeze(providerTools) }
}

function readProviderTool(given: unknown, driver: string, place: string): ProviderTool {
  const made = isProviderTool(given) ? given : fromPlain(given, driver, place)
  const fault = elsewhereFault(made.id, driver)
  if (fault !== undefined) refuse(`${place} cannot run there: ${fault}`)
  return made
}

function fromPlain(given: unknown, driver: string, place: string): ProviderTool {
  const { type, ...config } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >
  if (type === 'provider') return fromProviderPackage(config, place)
  if (!(providerToolTypes as readonly unknown[]).includes(type)) {
    const types = providerToolTypes.map((each) => `"${each}"`).join(', ')
    refuse(
      `${place} is no tool; make it with tool({ ... }) or providerTool({ ... }), or say { type } with one of ${types}.`,
    )
  }
  if (config.id !== undefined) refuse(`${place} has both a type and an id; name the tool by one of them.`)
  const found = providerToolId(type as ProviderToolType, driver)
  if ('fault' in found) refuse(`${place} cannot run there: ${found.fault}`)
  return providerTool({ name: type as string, ...config, id: found.id })
}

/** The packages' objects hold schemas too, which are for those who type what a tool found. */
function fromProviderPackage(config: Record<string, unknown>, place: string): ProviderTool {
  if (config.isProviderExecuted === false)
    refuse(
      `${place} ("${String(config.id)}") is one of the provider's tools that the application has to run itself; declare it with tool({ ... }).`,
    )
  const { id, name, args, toolClass } = config as unknown as ProviderTool
  return providerTool({
    id,
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { args }),
    ...(toolClass === undefined ? {} : { toolClass }),
  })
}

function refuseTwice(
  all: readonly { readonly name: string }[],
  providerTools: readonly ProviderTool[],
): void {
  for (const { name } of providerTools) {
    if (name === readResultName)
      throw new ToolpostError('RESERVED_NAME', `The tool name "${name}" is reserved; choose another.`)
    if (all.filter((each) => each.name === name).length === 1) continue
    throw new ToolpostError('DUPLICATE_TOOL', `Two tools are called "${name}"; rename one of them.`)
  }
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_AGENT', sentence)
}
