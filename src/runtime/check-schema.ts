import type { JsonValue } from '../core/json/value.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import type { CheckResult, ToolSchema } from '../core/schema/schema.ts'
import { orAborted, withDeadline } from './race.ts'
import type { Task } from './task.ts'

/** What a check needs of the run that it is made for. */
export interface CheckSurroundings {
  readonly parts: Pick<Task['parts'], 'clock'>
  readonly signal: AbortSignal
}

/**
 * Checks a value against a tool's schema. A library may check asynchronously, and its refinements are the
 * developer's: a check that has not ended after ten seconds, or when the run is stopped, counts as a fault.
 */
export async function checkSchema(
  { parts, signal }: CheckSurroundings,
  schema: ToolSchema,
  value: JsonValue,
): Promise<CheckResult> {
  const result = schema.check(value)
  if (!(result instanceof Promise)) return result
  return await withDeadline(
    parts.clock,
    'The check of the schema',
    limits.prepareMs,
    signal,
    async (inner) => {
      const ended = await orAborted(result, inner)
      if ('value' in ended) return ended.value
      return { ok: false, faults: [{ pointer: '', message: messageOf(inner.reason) }] }
    },
  )
}
