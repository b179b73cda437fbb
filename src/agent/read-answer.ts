import type {
  AnsweredPart,
  AssistantPart,
  DriverPart,
  FinishReason,
  ProviderData,
  Usage,
} from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'
import { asJson } from '../core/json/as-json.ts'
import { messageOf } from '../core/message-of.ts'
import { readProviderPart } from './read-provider-part.ts'

/** A model's answer as it was read: the files that it made are not kept yet. */
export interface ReadAnswer {
  readonly parts: readonly AnsweredPart[]
  readonly finish: FinishReason
  readonly usage?: Usage
}

/** More parts than a model can say in one answer. */
const partsMax = 10_000

const reasons: readonly unknown[] = ['stop', 'calls', 'length', 'filter', 'other'] satisfies FinishReason[]
const counts = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'] as const

/**
 * Reads the last part of what a driver reported. A driver can be anybody's, so that its words are copied and
 * checked before they reach the log. A reason that does not exist counts as `other`, which runs nothing.
 * Errors: MODEL_FAILED.
 */
export function readAnswer(driver: string, part: Extract<DriverPart, { type: 'finish' }>): ReadAnswer {
  if (part.reason === 'error')
    throw new ToolpostError('MODEL_FAILED', 'The model ended its answer with an error.')
  try {
    const { reason, usage } = part
    const finish = reasons.includes(reason) ? reason : 'other'
    return { parts: readAnswered(part.parts), finish, ...readUsage(usage) }
  } catch (error) {
    throw new ToolpostError(
      'MODEL_FAILED',
      `The answer of the model ${driver} cannot be read: ${messageOf(error, 500)}`,
    )
  }
}

/** Reads all parts of an answer, with what the provider's own tools did and the files that were made. */
function readAnswered(parts: unknown): AnsweredPart[] {
  refuseUnbounded(parts, 'parts')
  return parts.map((given, index) => {
    const part = (given ?? {}) as Record<string, unknown>
    const read = readProviderPart(part)
    if (read === undefined) return readPart(part, index + 1)
    if ('fault' in read) throw new Error(`part ${index + 1} ${read.fault}`)
    return { ...read.part, ...readProvider(part.provider) }
  })
}

/**
 * Reads parts of an answer that are words or calls of ours, of which so many stand before them. Throws an Error at the first bad part, with its place
 * and what is wrong with it.
 */
export function readParts(parts: unknown, before = 0): AssistantPart[] {
  refuseUnbounded(parts, 'parts')
  return parts.map((part, index) => readPart((part ?? {}) as Record<string, unknown>, before + index + 1))
}

/** Looks at the length alone: a list from outside is read part by part, and no further than its first bad one. */
export function refuseUnbounded(parts: unknown, what: string): asserts parts is readonly unknown[] {
  if (!Array.isArray(parts)) throw new Error(`its ${what} are no list.`)
  if (parts.length > partsMax) throw new Error(`it has ${parts.length} ${what}, more than ${partsMax}.`)
}

function readPart(part: Record<string, unknown>, place: number): AssistantPart {
  const { kind } = part
  const provider = readProvider(part.provider)
  if (kind === 'text' || kind === 'reasoning') return { kind, text: textOf(part, 'text', place), ...provider }
  if (kind !== 'call') throw new Error(`part ${place} is no text, no reasoning and no call.`)
  return {
    kind,
    // Half a surrogate pair would not survive a store, and two ids would become one.
    modelCallId: part.modelCallId === undefined ? '' : textOf(part, 'modelCallId', place).toWellFormed(),
    name: textOf(part, 'name', place).toWellFormed(),
    argumentsText: textOf(part, 'argumentsText', place),
    ...provider,
  }
}

function textOf(part: Record<string, unknown>, key: string, place: number): string {
  const text = part[key]
  if (typeof text === 'string') return text
  throw new Error(`part ${place} has no text as its "${key}".`)
}

/** What is no JSON cannot be kept and so cannot be given back. */
function readProvider(given: unknown): { provider?: ProviderData } {
  const provider = given === undefined ? undefined : asJson(given)
  return provider === undefined ? {} : { provider: provider as ProviderData }
}

function readUsage(given: unknown): { usage?: Usage } {
  const usage: Record<string, number> = {}
  for (const key of counts) {
    const count = (given as Record<string, unknown> | undefined)?.[key]
    if (typeof count === 'number' && Number.isFinite(count)) usage[key] = count
  }
  return Object.keys(usage).length === 0 ? {} : { usage }
}
