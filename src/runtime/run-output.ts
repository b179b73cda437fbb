import { asJson } from '../core/json/as-json.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { limits } from '../core/limits.ts'
import type { OutputRule } from '../core/schema/output-rule.ts'
import { outputReadings } from '../core/schema/output-rule.ts'
import { checkSchema } from './check-schema.ts'
import type { Task } from './task.ts'
import { listed } from './validator.ts'

/** A value as the schema gives it, or every fault in one sentence. */
export type CheckedOutput = { readonly value: JsonValue } | { readonly fault: string }

/** Reads a model's last words as the run's output; of several ways to read them, the first that passes counts. */
export async function readRunOutput(task: Task, rule: OutputRule, text: string): Promise<CheckedOutput> {
  const readings = outputReadings(rule.schema, text, { bytesMax: limits.argumentsBytesMax })
  if ('fault' in readings) return readings
  let first: CheckedOutput | undefined
  for (const value of readings.values) {
    const checked = await checkedBy(task, rule, value)
    if ('value' in checked) return checked
    first ??= checked
  }
  return first as CheckedOutput
}

/** Checks the value that a tool would end the run with; where no rule is, everything passes as it is. */
export async function checkRunOutput(
  task: Task,
  value: unknown,
): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  if (task.output === undefined) return { value }
  const json = asJson(value)
  if (json === undefined) return { fault: `it is no JSON: ${whyNotJson(value)}` }
  return await checkedBy(task, task.output, json)
}

/** What a schema gives that is no JSON, such as a date, is kept as it was given. */
async function checkedBy(task: Task, { schema }: OutputRule, json: JsonValue): Promise<CheckedOutput> {
  const checked = await checkSchema(task, schema, json)
  if (!checked.ok) return { fault: listed(checked.faults) }
  return { value: asJson(checked.value) ?? checked.input }
}
