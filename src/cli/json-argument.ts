import { parseJson } from '../core/json/strict.ts'
import { isJsonObject, type JsonObject } from '../core/json/value.ts'
import { UsageError } from './usage-error.ts'

/** Reads the JSON object of an option. Throws a UsageError that says what is wrong and where. */
export function jsonArgument(option: string, text: string): JsonObject {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new UsageError(`${option} is not JSON: ${parsed.fault.message}`)
  if (isJsonObject(parsed.value)) return parsed.value
  throw new UsageError(`${option} must be a JSON object, such as '{"path": "README.md"}'.`)
}
