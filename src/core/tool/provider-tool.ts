import { ToolpostError } from '../error.ts'
import { asJson } from '../json/as-json.ts'
import { deepFreeze } from '../json/deep-freeze.ts'
import { digestOf } from '../json/digest.ts'
import { named } from '../json/named.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { isToolClass, type ToolClass, toolClasses } from '../policy/class.ts'

/**
 * A tool that runs inside the model's provider. No call of it comes by here, so none can be checked, held or
 * asked about: the policy offers it or hides it. Made by `providerTool()`; frozen.
 */
export interface ProviderTool {
  readonly type: 'provider'
  /** `<provider>.<tool>`, as the AI SDK's provider package names it: `openai.web_search`. */
  readonly id: `${string}.${string}`
  /** What the log and the policy call it. */
  readonly name: string
  /** Settings for the provider, in the words of its package. */
  readonly args: { readonly [key: string]: JsonValue }
  readonly toolClass?: ToolClass
  /** Digest of all of the above. */
  readonly version: string
}

/** What `providerTool()` takes. */
export interface ProviderToolConfig {
  /** `<provider>.<tool>`, such as `openai.web_search` or `anthropic.web_search_20250305`. */
  readonly id: string
  /** Letters, digits, `_` and `-`, 64 at most, no digit first; default the tool's part of the id, without a date. */
  readonly name?: string
  /** Settings for the provider, as plain JSON; default none. */
  readonly args?: Readonly<Record<string, unknown>>
  /** Default none: destructive, where anything governs the agent. */
  readonly toolClass?: ToolClass
}

const keys: readonly string[] = ['id', 'name', 'args', 'toolClass']
const idGrammar = /^[A-Za-z][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]+$/
const nameGrammar = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** Declares a tool that the model's provider runs itself. Errors: INVALID_TOOL. */
export function providerTool(config: ProviderToolConfig): ProviderTool {
  if (typeof config !== 'object' || config === null) refuse('providerTool() takes one object.')
  const unknown = Object.keys(config).find((key) => !keys.includes(key))
  if (unknown !== undefined)
    refuse(`A provider tool has no key ${named(unknown)}; the keys are ${keys.join(', ')}.`)
  const { id, toolClass, name = nameOfId(id) } = config
  if (typeof id !== 'string' || !idGrammar.test(id))
    refuse('A provider tool needs an "id" of its provider and its tool, such as "openai.web_search".')
  if (typeof name !== 'string' || !nameGrammar.test(name))
    refuse(
      `The provider tool "${id}" needs a "name" of at most 64 letters, digits, "_" and "-", no digit first.`,
    )
  if (toolClass !== undefined && !isToolClass(toolClass))
    refuse(`The "toolClass" of the provider tool "${id}" must be one of ${toolClasses.join(', ')}.`)
  const args = asJson(config.args ?? {})
  if (args === undefined || !isJsonObject(args))
    refuse(`The "args" of the provider tool "${id}" must be an object of plain JSON.`)
  const classed = toolClass === undefined ? {} : { toolClass }
  const version = digestOf({ id, name, args, toolClass: toolClass ?? null })
  return deepFreeze({
    type: 'provider' as const,
    id: id as ProviderTool['id'],
    name,
    args,
    ...classed,
    version,
  })
}

/** Whether a value was made by `providerTool()`, also by that of another copy of this package. */
export function isProviderTool(value: unknown): value is ProviderTool {
  if (typeof value !== 'object' || value === null) return false
  const { type, id, name, args, version } = value as Partial<ProviderTool>
  const texts = [id, name, version].every((text) => typeof text === 'string')
  return type === 'provider' && texts && typeof args === 'object'
}

/** `anthropic.web_search_20250305` is known as `web_search`. */
function nameOfId(id: unknown): string {
  const tool = typeof id === 'string' ? id.slice(id.indexOf('.') + 1) : ''
  return tool.replace(/_\d{8}$/, '').replaceAll('.', '_')
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_TOOL', sentence)
}
