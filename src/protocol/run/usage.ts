import { defineBody } from '../body.ts'
import { countSchema } from '../schema-words.ts'

/** Tokens as the provider counted them; what it did not count is absent. */
export interface WireUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

export const usageSchema = {
  type: 'object',
  properties: {
    inputTokens: countSchema(0),
    outputTokens: countSchema(0),
    cachedInputTokens: countSchema(0),
    reasoningTokens: countSchema(0),
  },
} as const

export const usageBody = defineBody<WireUsage>('Usage', usageSchema)
