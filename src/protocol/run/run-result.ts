import type { JsonValue } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { countSchema, idSchema, modelNameSchema, providerNameSchema } from '../schema-words.ts'
import { usageSchema, type WireUsage } from './usage.ts'

/** How a run that completed came out. */
export interface RunResult {
  readonly runId: string
  readonly provider: string
  readonly model: string
  readonly text: string
  /** What passed the request's `outputSchema`; absent without one. */
  readonly output?: JsonValue
  /** Of all steps together. */
  readonly usage: WireUsage
  readonly steps: number
  readonly finishReason: 'stop' | 'length'
  /** The session as it is now, when the run belonged to one. */
  readonly session?: { readonly id: string; readonly revision: number }
}

export const runResultSchema = {
  type: 'object',
  properties: {
    runId: idSchema,
    provider: providerNameSchema,
    model: modelNameSchema,
    text: { type: 'string' },
    output: {},
    usage: usageSchema,
    steps: countSchema(0),
    finishReason: { enum: ['stop', 'length'] },
    session: {
      type: 'object',
      properties: { id: idSchema, revision: countSchema(0) },
      required: ['id', 'revision'],
    },
  },
  required: ['runId', 'provider', 'model', 'text', 'usage', 'steps', 'finishReason'],
} as const

export const runResultBody = defineBody<RunResult>('RunResult', runResultSchema)
