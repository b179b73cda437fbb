import type { CallOutcome } from '../core/event.ts'
import type { Execution } from '../core/executor.ts'
import { asJson } from '../core/json/as-json.ts'
import { encodeResult, plainJson } from '../core/json/encode.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import type { CallState } from '../core/run/state.ts'
import type { FinalizeContext } from '../core/tool/context.ts'
import type { Tool } from '../core/tool/tool.ts'
import { toolContext } from '../core/tool/tool-context.ts'
import { type Attempted, brokenCode } from './attempt.ts'
import { checkSchema } from './check-schema.ts'
import { OutOfTime } from './race.ts'
import { runSideFunction } from './side-function.ts'
import { keepText } from './spill.ts'
import { surroundings } from './surroundings.ts'
import type { Task } from './task.ts'
import { argumentsOf } from './validator.ts'

/** Turns what the tries came to into the outcome for the log: checked, finalized, encoded, capped, spilled. */
export async function settle(
  task: Task,
  tool: Tool,
  call: CallState,
  attempted: Attempted,
): Promise<CallOutcome> {
  const { result } = attempted
  if (result.status === 'abandoned') return abandoned(call, result.reason, result.acknowledged)
  return await settleExecution(task, tool, call, result)
}

/** The same for one execution, also a late one. */
export async function settleExecution(
  task: Task,
  tool: Tool,
  call: CallState,
  execution: Execution,
): Promise<CallOutcome> {
  if (execution.status === 'failed') {
    const { code, message } = execution
    const effect = code === brokenCode ? effectOf(call) : 'none'
    return { status: 'failed', code, message: message.slice(0, limits.messageCharactersMax), effect }
  }
  const { value, control } = execution
  if (control !== undefined) return await controlled(task, value, control)
  const output = await checkedOutput(task, tool, value)
  if ('fault' in output)
    return ranBut(call, 'invalid_output', `The tool ran, but its output is not as declared: ${output.fault}`)
  const shaped = await finalized(task, tool, call, output.value)
  if ('fault' in shaped)
    return ranBut(
      call,
      'finalize_failed',
      `The tool ran, but its result could not be shaped: ${shaped.fault}`,
    )
  const { kind, text } = encodeResult(shaped.value)
  return { status: 'completed', kind, text: await keepText(task, text) }
}

/** An effect that a read has is none; for all others, what nobody saw is uncertain. */
export function effectOf(call: CallState): 'none' | 'uncertain' {
  return call.toolClass === 'read' || call.toolClass === 'sensitive' ? 'none' : 'uncertain'
}

function abandoned(call: CallState, reason: unknown, acknowledged: boolean): CallOutcome {
  const effect = acknowledged ? 'none' : effectOf(call)
  if (!(reason instanceof OutOfTime)) {
    return { status: 'failed', code: 'cancelled', message: `Cancelled: ${messageOf(reason)}`, effect }
  }
  return { status: 'failed', code: 'timed_out', message: reason.message, effect, timedOut: true }
}

function ranBut(call: CallState, code: string, message: string): CallOutcome {
  return { status: 'failed', code, message, effect: effectOf(call) }
}

async function controlled(task: Task, value: unknown, control: 'output' | 'end'): Promise<CallOutcome> {
  const { kind, text } = encodeResult(control === 'end' ? 'The run ends here.' : value)
  const plain = value === undefined ? undefined : plainJson(value)
  return {
    status: 'completed',
    kind,
    text: await keepText(task, text),
    control,
    ...(plain === undefined ? {} : { value: plain }),
  }
}

/** The copy that was checked is what is told: a value of a tool can be another one at the next look. */
async function checkedOutput(
  task: Task,
  tool: Tool,
  value: unknown,
): Promise<{ value: unknown } | { fault: string }> {
  if (tool.outputSchema === undefined) return { value }
  const json = asJson(value)
  if (json === undefined) return { fault: 'it is no JSON' }
  const checked = await checkSchema(task, tool.outputSchema, json)
  return checked.ok ? { value: json } : { fault: checked.faults.map(({ message }) => message).join('; ') }
}

async function finalized(
  task: Task,
  tool: Tool,
  call: CallState,
  value: unknown,
): Promise<{ value: unknown } | { fault: string }> {
  if (tool.finalize === undefined) return { value }
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return parsed
  const { value: args } = parsed
  const { id, name, digest = '', attempt: claim } = call
  const result = await runSideFunction(task, `The finalize of "${name}"`, (signal) => {
    const base = toolContext({ id, name, claim, args, digest }, surroundings(task, id, signal, 1))
    const context: FinalizeContext = { ...base, result: value }
    return tool.finalize?.(args, context)
  })
  if ('fault' in result) return result
  return { value: result.value === undefined ? value : result.value }
}
