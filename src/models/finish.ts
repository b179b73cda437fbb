import type { FinishReason, Usage } from '../core/driver.ts'

const reasons: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['tool-calls', 'calls'],
  ['length', 'length'],
  ['content-filter', 'filter'],
  ['error', 'error'],
])

/** A provider's finish reason: a pair of `unified` and `raw` since version 3 of the interface, a word before. */
export interface ProviderFinish {
  readonly unified: unknown
  readonly raw: string | undefined
}

export function readFinish(finishReason: unknown): ProviderFinish {
  if (typeof finishReason !== 'object' || finishReason === null)
    return { unified: finishReason, raw: undefined }
  const { unified, raw } = finishReason as { unified?: unknown; raw?: unknown }
  return { unified, raw: typeof raw === 'string' ? raw : undefined }
}

/** Our word for the provider's; what is not known is `other`, on which nothing runs. */
export function toFinishReason(unified: unknown): FinishReason {
  return reasons.get(unified) ?? 'other'
}

/** Tokens from either form of the provider's report: nested since version 3 of the interface, flat before. */
export function toUsage(report: unknown): Usage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = members(report)
  const input = members(inputTokens)
  const output = members(outputTokens)
  const usage: { -readonly [Key in keyof Usage]: Usage[Key] } = {}
  const note = (key: keyof Usage, flat: unknown, nested: unknown) => {
    const tokens = count(flat) ?? count(nested)
    if (tokens !== undefined) usage[key] = tokens
  }
  note('inputTokens', inputTokens, input.total)
  note('outputTokens', outputTokens, output.total)
  note('cachedInputTokens', cachedInputTokens, input.cacheRead)
  note('reasoningTokens', reasoningTokens, output.reasoning)
  return usage
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
