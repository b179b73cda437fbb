import { asJson } from '../core/json/as-json.ts'
import { isSameJson } from '../core/json/is-same-json.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { CheckResult, Fault, ToolSchema } from '../core/schema/schema.ts'
import { faultsOfUnknown, type Sample } from '../core/schema/unknown-output.ts'

/** Whether a schema gave a value back exactly as it took it, so that it takes its own output. */
export function isKept(checked: CheckResult, value: JsonValue): boolean {
  return checked.ok && checked.coerced.length === 0 && isSameJson(asJson(checked.value), value)
}

/**
 * Checks a value against a schema's own output: by what its library tells of it, and where it tells nothing, by what
 * the schema gave there before.
 */
export async function outputFaults(
  schema: ToolSchema,
  value: JsonValue,
  by: Pick<Sample, 'sample' | 'untold'>,
): Promise<readonly Fault[]> {
  const told = schema.ofOutput?.()
  const checked = await told?.check(value)
  const faults = checked === undefined || checked.ok ? [] : checked.faults
  const output = told?.jsonSchema ?? true
  return [...faults, ...faultsOfUnknown(value, { ...by, output, input: schema.jsonSchema })]
}
