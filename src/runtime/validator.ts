import { callDigest } from '../core/call.ts'
import type { EventOf } from '../core/event.ts'
import { asJson } from '../core/json/as-json.ts'
import { parseArguments } from '../core/json/strict.ts'
import { isJsonObject, type JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import type { CallState } from '../core/run/state.ts'
import type { CheckResult, Fault } from '../core/schema/schema.ts'
import type { Tool } from '../core/tool/tool.ts'
import { toolContext } from '../core/tool/tool-context.ts'
import { isKept, outputFaults } from './check-output.ts'
import { type CheckSurroundings, checkSchema } from './check-schema.ts'
import { runSideFunction } from './side-function.ts'
import { surroundings } from './surroundings.ts'
import type { Task } from './task.ts'

/** A call that ends before it begins. */
export interface Refusal {
  readonly code: string
  readonly category?: string
  readonly message: string
}

/** Arguments that passed, as the proposal records them. */
export type Accepted = NonNullable<EventOf<'call.proposed'>['accepted']>

export type Validated =
  | { readonly accepted: Accepted; readonly value: unknown }
  | { readonly refused: Refusal }

/** The refusal of arguments that do not pass. */
export function invalid(detail: string): { readonly refused: Refusal } {
  return { refused: { code: 'invalid_arguments', message: `Invalid arguments: ${detail}` } }
}

/** Every fault, in one sentence. */
export function listed(faults: readonly Fault[]): string {
  return faults.map((fault) => fault.message).join('; ')
}

/**
 * Parses strictly, coerces, validates, prepares, validates again. Nobody has been asked yet and nothing
 * has run; a fault becomes a refusal that names every fault, so that the model can mend them all at once.
 */
export async function validateArguments(
  task: Task,
  tool: Tool,
  call: string,
  argumentsText: string,
): Promise<Validated> {
  const parsed = parseArguments(argumentsText, { bytesMax: limits.argumentsBytesMax })
  if (!parsed.ok) return invalid(`the text is not JSON: ${parsed.fault.message}`)
  if (!isJsonObject(parsed.value)) return invalid('the value must be an object')
  const checked = await checkSchema(task, tool.schema, parsed.value)
  if (!checked.ok) return invalid(listed(checked.faults))
  const unprepared = accepted(tool, checked)
  return tool.prepare === undefined ? unprepared : await prepared(task, tool, call, checked, unprepared)
}

/** A check that found nothing. */
export type Passed = Extract<CheckResult, { ok: true }>

function coercions(checked: Passed): Partial<Accepted> {
  return checked.coerced.length === 0 ? {} : { coerced: checked.coerced }
}

/** What runs of arguments that passed: the schema's output; its input, to be parsed again, where that is no JSON. */
export function accepted(tool: Tool, checked: Passed): Validated {
  const output = asJson(checked.value)
  if (output !== undefined) return accept(tool, output, checked.value, coercions(checked))
  return accept(tool, checked.input, checked.value, { ...coercions(checked), reparse: true })
}

async function prepared(
  task: Task,
  tool: Tool,
  call: string,
  checked: Passed,
  unprepared: Validated,
): Promise<Validated> {
  const { value } = checked
  const execute = { id: call, name: tool.name, claim: 0, args: value, digest: '' }
  const result = await runSideFunction(task, `The preparation of "${tool.name}"`, (signal) =>
    tool.prepare?.(value, toolContext(execute, surroundings(task, call, signal, 1))),
  )
  if ('fault' in result) return { refused: { code: 'prepare_failed', message: result.fault } }
  if (result.value === undefined) return unprepared
  const args = asJson(result.value)
  if (args === undefined)
    return invalid(`"${tool.name}" prepared arguments that are no JSON: ${whyNotJson(result.value)}`)
  const again = await checkedPrepared(task, tool, args, value)
  if (!again.ok) return invalid(`after preparation: ${listed(again.faults)}`)
  const coerced = [...checked.coerced, ...again.coerced]
  const extra = coerced.length === 0 ? {} : { coerced }
  const seen = again.coerced.length === 0 ? result.value : again.input
  const replaced = accept(tool, again.input, seen, { ...extra, prepared: true })
  return isSame(replaced, unprepared) ? unprepared : replaced
}

/** A preparation that gave back what it got has prepared nothing. */
function isSame(one: Validated, other: Validated): boolean {
  return 'accepted' in one && 'accepted' in other && one.accepted.digest === other.accepted.digest
}

/**
 * What `prepare` returned, checked, and converted where the schema takes its own output. A schema that transforms
 * cannot take it; what is told of its output is asked instead.
 */
async function checkedPrepared(
  task: Task,
  tool: Tool,
  args: JsonValue,
  before: unknown,
): Promise<CheckResult> {
  const again = await checkSchema(task, tool.schema, args)
  if (tool.schema.kind === 'json') return again
  const sample = asJson(before)
  const takesItsOutput = sample !== undefined && isKept(await checkSchema(task, tool.schema, sample), sample)
  if (takesItsOutput) return again
  const faults = await outputFaults(tool.schema, args, { sample, untold: 'trust' })
  return faults.length === 0 ? { ok: true, value: args, input: args, coerced: [] } : { ok: false, faults }
}

/** Binds arguments to the tool and its version. */
export function accept(tool: Tool, args: JsonValue, value: unknown, extra: Partial<Accepted>): Validated {
  const { version } = tool
  try {
    const digest = callDigest(tool.name, version, args)
    return { accepted: { args, digest, version, ...extra }, value }
  } catch (error) {
    return invalid(messageOf(error))
  }
}

/**
 * The arguments as the tool's functions see them, made anew from the record: a copy that shares nothing. A fault
 * when the record has to be parsed again and its schema takes it no longer.
 */
export async function argumentsOf(
  task: CheckSurroundings,
  tool: Tool,
  call: CallState,
): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  if (call.reparse !== true) return { value: asJson(call.args) }
  const checked = await checkSchema(task, tool.schema, call.args as JsonValue)
  return checked.ok ? { value: checked.value } : { fault: listed(checked.faults) }
}

/**
 * What a person answered, as the tool's functions see it: the schema's output, made anew from the record. Nothing when
 * nobody was asked; a fault when the schema takes the answer no longer.
 */
export async function inputOf(
  task: CheckSurroundings,
  tool: Tool,
  call: CallState,
): Promise<{ readonly input?: unknown } | { readonly fault: string }> {
  if (call.input === undefined || tool.yieldSchema === undefined) return {}
  const checked = await checkSchema(task, tool.yieldSchema, call.input.value)
  return checked.ok ? { input: checked.value } : { fault: `Invalid input: ${listed(checked.faults)}` }
}
