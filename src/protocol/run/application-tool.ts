import type { JsonObject } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import { objectSchema, textSchema, toolNameSchema } from '../schema-words.ts'

/** A function of the application, declared for one run; the application executes it. At most 128,000 bytes of JSON. */
export interface ApplicationToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** JSON Schema of the output; absent = any JSON. */
  readonly outputSchema?: JsonObject
  /** True asks for a review; false cannot lower what the host or the token requires. */
  readonly requiresApproval?: boolean
}

export const applicationToolSchema = {
  type: 'object',
  properties: {
    name: toolNameSchema,
    description: textSchema(wireBounds.descriptionCharactersMax, 1),
    inputSchema: objectSchema,
    outputSchema: objectSchema,
    requiresApproval: { type: 'boolean' },
  },
  required: ['name', 'description', 'inputSchema'],
  additionalProperties: false,
} as const

export const applicationToolBody = defineBody<ApplicationToolDefinition>(
  'ApplicationToolDefinition',
  applicationToolSchema,
)
