import type { CallOutcome } from '../core/event.ts'
import type { Execution, Resting } from '../core/executor.ts'
import { asJson } from '../core/json/as-json.ts'
import { encodeJson, encodeResult, plainJson } from '../core/json/encode.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import type { CallState } from '../core/run/state.ts'
import type { FinalizeContext } from '../core/tool/context.ts'
import { apartFromFiles, type ResultFile } from '../core/tool/result-with-files.ts'
import type { Tool } from '../core/tool/tool.ts'
import { toolContext } from '../core/tool/tool-context.ts'
import { type Attempted, isUnclear } from './attempt.ts'
import type { GivenValue, HookedCall, LetThrough } from './call-hooks.ts'
import { type CheckSurroundings, checkSchema } from './check-schema.ts'
import { unseenBelowCode } from './children.ts'
import { OutOfTime } from './race.ts'
import { keepResultFiles } from './result-files.ts'
import { checkRunOutput } from './run-output.ts'
import { runSideFunction } from './side-function.ts'
import { keepText, tellReading } from './spill.ts'
import { StateOfCall } from './state/state-of-call.ts'
import { stopReason } from './stop-reason.ts'
import { surroundings } from './surroundings.ts'
import type { Shaping, Task } from './task.ts'
import { argumentsOf, inputOf } from './validator.ts'

/** Turns what the tries came to into the outcome for the log: checked, finalized, encoded, capped, spilled. */
export async function settle(
  task: Task,
  tool: Tool,
  call: CallState,
  result: Exclude<Attempted['result'], Resting>,
): Promise<CallOutcome> {
  if (result.status === 'abandoned') return abandoned(call, result.reason, result.acknowledged)
  return await settleExecution(task, tool, call, result)
}

/** The same for one execution, also a late one. */
export async function settleExecution(
  task: Task,
  tool: Tool,
  call: CallState,
  execution: Exclude<Execution, Resting>,
): Promise<CallOutcome> {
  if (execution.status === 'failed') {
    const { code, message } = execution
    // Whatever the call itself does, the effect below it is one.
    const unclear = code === unseenBelowCode ? 'uncertain' : effectOf(call)
    const effect = isUnclear(code) ? unclear : 'none'
    return { status: 'failed', code, message: message.slice(0, limits.messageCharactersMax), effect }
  }
  const { value, files } = apartFromFiles(execution.value)
  const { control } = execution
  if (control !== undefined)
    return await controlled(task, { tool, call, signal: task.signal }, value, control)
  const output = await checkedOutput(task, tool, value)
  if ('fault' in output) return invalidOutput(call, output.fault)
  const { isReading } = execution
  return await settleChecked(task, tool, call, {
    value: output.value,
    files,
    ...(isReading && { isReading }),
  })
}

/** The outcome of a tool whose output is not as its schema says. */
export function invalidOutput(call: CallState, fault: string): CallOutcome {
  return ranBut(call, 'invalid_output', `The tool ran, but its output is not as declared: ${fault}`)
}

/** What a tool gave, after the check of its output: also the outcome that somebody outside gave. */
export async function settleChecked(
  task: Shaping,
  tool: Tool,
  call: CallState,
  { value, files = [], isReading, isJson }: Checked,
): Promise<CallOutcome> {
  const shaped = await finalized(task, tool, call, value)
  if ('fault' in shaped)
    return ranBut(
      call,
      'finalize_failed',
      `The tool ran, but its result could not be shaped: ${shaped.fault}`,
    )
  const told = await letThrough(task, { tool, call, signal: task.signal }, { value: shaped.value })
  if ('fault' in told) return ranBut(call, 'after_tool_failed', notLetThrough(told.fault))
  const isGiven = isJson === true && told.by === undefined && tool.finalize === undefined
  const { kind, text, lossy } = isGiven ? encodeJson(told.value as JsonValue) : encodeResult(told.value)
  const isPart = isReading === true && told.by === undefined
  const kept = {
    kind,
    text: isPart ? tellReading(task, text) : await keepText(task, text, lossy.length > 0),
  }
  // Who put another result in the place of the tool's meant what was beside it too.
  if (told.by !== undefined) return { status: 'completed', ...kept, by: told.by }
  return { status: 'completed', ...kept, ...(await keepResultFiles(task, files)) }
}

interface Checked {
  readonly value: unknown
  readonly files?: readonly ResultFile[]
  readonly isReading?: true
  /** It is JSON that somebody outside gave: each of its values is one, null too, and all of its levels are told. */
  readonly isJson?: true
}

/** An effect that a read has is none; for all others, what nobody saw is uncertain. */
export function effectOf(call: CallState): 'none' | 'uncertain' {
  return call.toolClass === 'read' || call.toolClass === 'sensitive' ? 'none' : 'uncertain'
}

function abandoned(call: CallState, reason: unknown, acknowledged: boolean): CallOutcome {
  const effect = acknowledged ? 'none' : effectOf(call)
  if (!(reason instanceof OutOfTime)) {
    return { status: 'failed', code: 'cancelled', message: `Cancelled: ${stopReason(reason)}`, effect }
  }
  return { status: 'failed', code: 'timed_out', message: reason.message, effect, timedOut: true }
}

function ranBut(call: CallState, code: string, message: string): CallOutcome {
  return { status: 'failed', code, message, effect: effectOf(call) }
}

/** What the hooks after a tool make of what it gave. */
async function letThrough({ hooks }: Shaping, hooked: HookedCall, given: GivenValue): Promise<LetThrough> {
  return (await hooks?.after(hooked, given)) ?? given
}

function notLetThrough(fault: string): string {
  return `The tool ran, but its result was not let through: ${fault}`
}

function notTheOutput(fault: string): string {
  return `The tool ran, but the run cannot end with its output, which is not as declared: ${fault}`
}

async function controlled(
  task: Task,
  hooked: HookedCall,
  given: unknown,
  control: 'output' | 'end',
): Promise<CallOutcome> {
  const told = await letThrough(task, hooked, { value: given, control })
  if ('fault' in told) return ranBut(hooked.call, 'after_tool_failed', notLetThrough(told.fault))
  const checked = control === 'output' ? await checkRunOutput(task, told.value) : told
  if ('fault' in checked) return ranBut(hooked.call, 'invalid_output', notTheOutput(checked.fault))
  const { value } = checked
  const { by } = told
  const { kind, text, lossy } = encodeResult(control === 'end' ? 'The run ends here.' : value)
  const plain = value === undefined ? undefined : plainJson(value)
  return {
    status: 'completed',
    kind,
    text: await keepText(task, text, lossy.length > 0),
    control,
    ...(by === undefined ? {} : { by }),
    ...(plain === undefined ? {} : { value: plain }),
  }
}

/**
 * What is told is a copy, since a value of a tool can be another one at the next look: what the schema gave, which has
 * none of the members that it strips, or what it was shown where it gives no JSON.
 */
export async function checkedOutput(
  task: CheckSurroundings,
  tool: Tool,
  value: unknown,
): Promise<{ value: unknown } | { fault: string }> {
  if (tool.outputSchema === undefined) return { value }
  const json = asJson(value)
  if (json === undefined) return { fault: `it is no JSON: ${whyNotJson(value)}` }
  const checked = await checkSchema(task, tool.outputSchema, json)
  if (checked.ok) return { value: asJson(checked.value) ?? json }
  return { fault: checked.faults.map(({ message }) => message).join('; ') }
}

async function finalized(
  task: Shaping,
  tool: Tool,
  call: CallState,
  value: unknown,
): Promise<{ value: unknown } | { fault: string }> {
  if (tool.finalize === undefined) return { value }
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return parsed
  const input = await inputOf(task, tool, call)
  if ('fault' in input) return input
  const { value: args } = parsed
  const { id, name, digest = '', attempt: claim } = call
  const state = new StateOfCall(task, id, true)
  const shape = (signal: AbortSignal) => {
    const around = surroundings(task, id, signal, 1, undefined, state)
    const base = toolContext({ id, name, claim, args, digest, ...input }, around)
    const context: FinalizeContext = { ...base, result: value }
    return tool.finalize?.(args, context)
  }
  const result = await runSideFunction(task, `The finalize of "${name}"`, shape, tool.timeoutMs)
  const failure = await state.settled()
  if ('fault' in result) return result
  if (failure !== undefined) return { fault: messageOf(failure.error) }
  return { value: result.value === undefined ? value : result.value }
}
