import type { FailedOutcome } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import { messageOf } from '../core/message-of.ts'
import type { CallHooks, GivenValue, HookedCall, LetThrough } from '../runtime/call-hooks.ts'
import { runSideFunction } from '../runtime/side-function.ts'
import type { Task } from '../runtime/task.ts'
import { placeOf, reportError } from './hook-stop.ts'
import type { Hooks, ToolHookCall } from './hooks.ts'

/** The run whose calls they are. */
type HookedRun = Pick<Task, 'parts' | 'journal' | 'run' | 'agent'>
type Hooked = HookedRun & HookedCall

/** The hooks of an agent as they stand around its calls; nothing when it has none for tools. */
export function toolHooks(hooks: readonly Hooks[], run: HookedRun): { readonly hooks?: CallHooks } {
  const own = hooks.filter(({ beforeTool, afterTool }) => beforeTool !== undefined || afterTool !== undefined)
  if (own.length === 0) return {}
  return {
    hooks: {
      before: (about) => before(own, { ...run, ...about }),
      after: (about, given) => after(own, { ...run, ...about }, given),
      failed: (about, outcome) => failed(hooks, { ...run, ...about }, outcome),
    },
  }
}

function aboutCall(hooked: Hooked, signal: AbortSignal): ToolHookCall {
  const { tool, call } = hooked
  const { id, modelCallId, digest = '', step, toolClass, args, input } = call
  const { name, title, description, source, version } = tool
  const given = toolClass === undefined ? {} : { toolClass }
  return {
    ...placeOf(hooked, signal),
    step,
    call: { id, modelCallId, digest },
    tool: { name, title, description, source: source.kind, version, ...given },
    args: args as JsonValue,
    ...(input === undefined ? {} : { input: input.value }),
  }
}

async function run(
  hooked: Hooked,
  each: Hooks,
  hook: 'beforeTool' | 'afterTool',
  action: (about: ToolHookCall) => unknown,
): Promise<{ readonly value: unknown } | { readonly fault: string; readonly cause?: unknown }> {
  const what = `The hook ${hook} of "${each.name}"`
  const result = await runSideFunction(hooked, what, (signal) => action(aboutCall(hooked, signal)))
  return 'value' in result
    ? { value: result.value ?? undefined }
    : { ...result, fault: `${what} failed: ${result.fault}` }
}

/** From the outside in: the first that says something decides, and those within are not asked. */
async function before(
  hooks: readonly Hooks[],
  hooked: Hooked,
): Promise<{ readonly refused: string } | LetThrough | undefined> {
  for (const [index, each] of hooks.entries()) {
    if (each.beforeTool === undefined) continue
    const said = await run(hooked, each, 'beforeTool', (about) => each.beforeTool?.(about))
    if ('fault' in said) return { refused: said.fault }
    if (said.value === undefined) continue
    const read = readAnswer(said.value, 'refuse')
    if ('reason' in read) return { refused: read.reason }
    if ('fault' in read) return { refused: `The hook beforeTool of "${each.name}" failed: ${read.fault}` }
    return await after(hooks.slice(0, index), hooked, read)
  }
  return undefined
}

/** From the inside out: each sees what those within made of the value. */
async function after(hooks: readonly Hooks[], hooked: Hooked, given: GivenValue): Promise<LetThrough> {
  let told: { readonly value: unknown; readonly by?: 'hook' } = { value: given.value }
  const control = given.control === undefined ? {} : { control: given.control }
  for (const each of hooks.toReversed()) {
    if (each.afterTool === undefined) continue
    const { value } = told
    const said = await run(hooked, each, 'afterTool', (about) =>
      each.afterTool?.({ ...about, outcome: 'completed', value, ...control }),
    )
    if ('fault' in said) return { fault: said.fault }
    if (said.value === undefined) continue
    const read = readAnswer(said.value, 'fail')
    if ('reason' in read) return { fault: read.reason }
    if ('fault' in read) return { fault: `The hook afterTool of "${each.name}" failed: ${read.fault}` }
    told = { value: read.value, by: 'hook' }
  }
  return told
}

/** What failed has failed: the hooks are told, and what they throw changes nothing. */
async function failed(hooks: readonly Hooks[], hooked: Hooked, outcome: FailedOutcome): Promise<void> {
  const { code, message } = outcome
  for (const each of hooks.toReversed()) {
    if (each.afterTool === undefined) continue
    const said = await run(hooked, each, 'afterTool', (about) =>
      each.afterTool?.({ ...about, outcome: 'failed', code, message }),
    )
    if ('fault' in said) reportError(hooks, 'afterTool', said.cause ?? new Error(said.fault))
  }
}

/** A reason, a result, or the sentence that says that the answer is neither. */
function readAnswer(
  answer: unknown,
  key: 'refuse' | 'fail',
): { readonly reason: string } | { readonly value: unknown } | { readonly fault: string } {
  try {
    const given = answer as Record<string, unknown>
    const reason = given[key]
    if (typeof reason === 'string') return { reason: reason === '' ? 'No reason was given.' : reason }
    if (typeof answer === 'object' && 'result' in given) return { value: given.result }
    return { fault: `it gave neither { ${key} } nor { result }.` }
  } catch (error) {
    return { fault: messageOf(error, 500) }
  }
}
