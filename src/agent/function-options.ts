import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import { type Hooks, hookNames } from './hooks.ts'
import type { OnModelError } from './model-error.ts'
import type { OnChange } from './on-change.ts'
import type { OnToolFailure } from './tool-failure.ts'

/** The options of an agent that are functions of the developer's, each with what it decides. */
export interface FunctionOptions {
  /** Functions around runs, the model and tools; of a list the first is the outermost. */
  readonly hooks?: Hooks | readonly Hooks[]
  /**
   * What becomes of an unfinished run that is taken up by an agent whose tools, schemas or instructions are others than
   * when it began. `ask again` (the default): calls of changed tools end as `tool_changed`, and the model makes them
   * anew. `refuse`: DEFINITION_CHANGED is thrown and the run stays as it is. A function decides, or migrates arguments.
   */
  readonly onChange?: OnChange
  /** What follows when the model fails; default: temporary failures are tried again, all others end the run. */
  readonly onModelError?: OnModelError
  /** `tell` (default): the model is told that its call failed. `fail`: the run ends as failed with the tool's code. */
  readonly onToolFailure?: OnToolFailure
}

export const functionOptions = ['hooks', 'onChange', 'onModelError', 'onToolFailure'] as const

/** The same, resolved. */
export interface ResolvedFunctions {
  readonly hooks: readonly Hooks[]
  readonly onChange?: OnChange
  readonly onModelError?: OnModelError
  readonly onToolFailure?: OnToolFailure
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_AGENT', sentence)
}

/** Checks these options and resolves them. Errors: INVALID_AGENT. */
export function readFunctionOptions(options: FunctionOptions): ResolvedFunctions {
  const { hooks, onChange, onModelError, onToolFailure } = options
  const list = hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks]
  for (const [index, each] of list.entries()) checkHooks(each, `hooks[${index}]`)
  checkChoice('onChange', onChange, ['refuse', 'ask again'])
  checkChoice('onToolFailure', onToolFailure, ['tell', 'fail', 'strict'])
  checkChoice('onModelError', onModelError, [])
  return {
    hooks: Object.freeze(
      list.map((each: Hooks, index) => ({ ...each, name: each.name ?? `hooks[${index}]` })),
    ),
    ...(onChange === undefined ? {} : { onChange }),
    ...(onModelError === undefined ? {} : { onModelError }),
    ...(onToolFailure === undefined ? {} : { onToolFailure }),
  }
}

function checkHooks(given: unknown, place: string): void {
  if (typeof given !== 'object' || given === null) refuse(`"${place}" must be an object of hooks.`)
  const { name, ...functions } = given as Record<string, unknown>
  if (name !== undefined && typeof name !== 'string') refuse(`"${place}.name" must be a text.`)
  for (const [key, value] of Object.entries(functions)) {
    if (!(hookNames as readonly string[]).includes(key))
      refuse(`"${place}" has no hook ${named(key)}; the hooks are ${hookNames.join(', ')}.`)
    if (value !== undefined && typeof value !== 'function') refuse(`"${place}.${key}" must be a function.`)
  }
}

function checkChoice(key: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || typeof value === 'function' || (words as readonly unknown[]).includes(value))
    return
  const said = words.map((word) => `"${word}", `).join('')
  refuse(`"${key}" must be ${said}${said === '' ? '' : 'or '}a function.`)
}
