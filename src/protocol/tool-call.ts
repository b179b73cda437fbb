import type { JsonObject } from '../core/json/value.ts'
import { idSchema, objectSchema, toolNameSchema } from './schema-words.ts'

/** A call as the model proposed it, its arguments parsed and checked. `id` is unique in its run. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
}

/** The schema of a `ToolCall` that a host sends. */
export const toolCallSchema = {
  type: 'object',
  properties: { id: idSchema, name: toolNameSchema, arguments: objectSchema },
  required: ['id', 'name', 'arguments'],
} as const

/** The schema of a `ToolCall` that is sent to a host. */
export const sentCallSchema = { ...toolCallSchema, additionalProperties: false } as const
