import { isToolpostError } from '../../../src/core/error.ts'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { type CheckResult, type ToolSchemaOptions, toolSchema } from '../../../src/core/schema/schema.ts'

/** The fault sentences of a value, none when it passes. */
export async function faultsOf(
  schema: unknown,
  value: JsonValue,
  options?: ToolSchemaOptions,
): Promise<readonly string[]> {
  const result: CheckResult = await toolSchema(schema, options).check(value)
  return result.ok ? [] : result.faults.map((fault) => fault.message)
}

/** The place and the sentence with which a schema is refused. */
export function refusalOf(
  schema: unknown,
  options: ToolSchemaOptions = { name: 'look' },
): { pointer: unknown; message: string } {
  try {
    toolSchema(schema, options)
  } catch (thrown) {
    if (isToolpostError(thrown) && thrown.code === 'INVALID_SCHEMA') {
      return { pointer: thrown.details.pointer, message: thrown.message }
    }
    throw thrown
  }
  throw new Error('The schema was accepted.')
}
