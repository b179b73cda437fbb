import { ToolpostError } from '../core/error.ts'
import { isListed } from '../core/exposure.ts'
import { asJson } from '../core/json/as-json.ts'
import { named } from '../core/json/named.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { checkOptions } from '../core/known-keys.ts'
import type { Decision } from '../core/policy/evaluate.ts'
import { isToolMode, type ToolMode, toolModes } from '../core/policy/mode.ts'
import type { Coercion } from '../core/schema/schema.ts'
import { ResultBudget } from '../runtime/budget.ts'
import { Journal } from '../runtime/journal.ts'
import { gatherFacts, judgeCall, judgeTool } from '../runtime/judge.ts'
import { OwnScopes } from '../runtime/state/own-scopes.ts'
import type { Task } from '../runtime/task.ts'
import { validateArguments } from '../runtime/validator.ts'
import type { Definition } from './definition.ts'

/** What would become of a call, and why; nothing was run and nothing was written. */
export interface Explanation {
  readonly tool: string
  /** Exactly what would run; absent when the arguments do not pass. */
  readonly args?: JsonValue
  readonly digest?: string
  readonly coerced: readonly Coercion[]
  /** The sentence that the model would read, when the arguments do not pass. */
  readonly fault?: string
  readonly decision: Decision
}

/** Walks a call up to the gate. Errors: UNKNOWN_TOOL, INVALID_ARGUMENT. */
export async function explainCall(
  definition: Definition,
  name: string,
  args: unknown,
  options: { mode?: ToolMode; subject?: string },
): Promise<Explanation> {
  checkExplain(options)
  const tool = definition.catalog.find(name)
  if (tool === undefined) {
    const names = definition.catalog.tools
      .filter((each) => isListed(each.exposure))
      .map((each) => each.name)
      .join(', ')
    throw new ToolpostError('UNKNOWN_TOOL', `There is no tool ${named(name)}. The tools are: ${names}.`)
  }
  const task = dryTask(definition, options)
  const validated = await validateArguments(task, tool, 'explain', argumentsText(args))
  if ('refused' in validated) {
    return { tool: name, coerced: [], fault: validated.refused.message, decision: judgeTool(task, tool) }
  }
  const { accepted, value } = validated
  const decision = judgeCall(task, tool, accepted, await gatherFacts(task, tool, 'explain', value))
  return {
    tool: name,
    args: accepted.args,
    digest: accepted.digest,
    coerced: accepted.coerced ?? [],
    decision,
  }
}

function checkExplain(options: { mode?: ToolMode; subject?: string }): void {
  checkOptions(options, ['mode', 'subject'], 'agent.explain()')
  const { mode } = options
  if (mode === undefined || isToolMode(mode)) return
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `There is no tool mode ${named(mode)}; the modes are ${toolModes.join(', ')}.`,
  )
}

function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args
  const json = asJson(args ?? {})
  if (json === undefined)
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The arguments must be JSON, or its text: ${whyNotJson(args)}.`,
    )
  return stringifyJson(json)
}

/** A task that has a policy and no log: it can judge and cannot write. */
function dryTask(definition: Definition, { mode, subject }: { mode?: ToolMode; subject?: string }): Task {
  const { parts, name, catalog, layers, defaultMode } = definition
  const judged = mode ?? (layers.governed ? defaultMode : undefined)
  return {
    parts,
    journal: new Journal(parts.store, 'explain', parts.clock),
    lease: { stream: '', epoch: 0 },
    run: 'explain',
    agent: name,
    catalog,
    layers: () => (subject === undefined ? layers : { ...layers, principal: subject }),
    budget: new ResultBudget(definition.results, 0),
    ...(judged === undefined ? {} : { mode: judged }),
    signal: new AbortController().signal,
    scopes: OwnScopes.unread(parts, definition.state.scopes),
    onProgress: () => undefined,
  }
}
