import { checkKeys, isRecord } from '../core/known-keys.ts'
import { checkJson } from '../models/check-script-step.ts'
import { readRecord } from './known-keys.ts'
import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'

const callKeys = ['name', 'args', 'argumentsText', 'id']
const usageKeys = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens']
const finishes: readonly unknown[] = ['stop', 'calls', 'length', 'filter', 'error', 'other']

/** How an answer of a model is written where it stands. */
export interface AnswerForm {
  readonly keys: readonly string[]
  /** The key under which the calls stand. */
  readonly calls: string
  /** Whether `error` may be an `Error` too. */
  readonly takesErrors: boolean
}

/**
 * Errors: INVALID_ARGUMENT for what is no answer of a model: a text, or an object with the keys of the form and values
 * that they take. `where` begins the sentence.
 */
export function checkAnswer(given: unknown, form: AnswerForm, where: string): void {
  const { keys, calls, takesErrors } = form
  if (typeof given === 'string') return
  if (!isRecord(given))
    refuseArgument(`${where} takes a text or an object with ${keys.join(', ')}, not ${shownValue(given)}.`)
  checkKeys(given, keys, `${where} has`)
  for (const [key, value] of Object.entries(given)) {
    const wish = wishes[key]
    const isTaken = value === undefined || (key === 'error' && takesErrors && value instanceof Error)
    if (wish !== undefined && !isTaken && !wish.takes(value))
      refuseArgument(`${where} has ${shownValue(value)} as "${key}"; it must be ${wish.says}.`)
  }
  if (given[calls] !== undefined) checkCalls(given[calls], `${where}, ${calls}`)
  if (given.usage !== undefined) checkUsage(given.usage, `${where}, usage`)
}

interface Wish {
  readonly says: string
  readonly takes: (value: unknown) => boolean
}

const text: Wish = { says: 'a text', takes: (value) => typeof value === 'string' }
const count: Wish = {
  says: 'a number, 0 or more',
  takes: (value) => Number.isFinite(value) && (value as number) >= 0,
}

/** What some keys take; others are checked elsewhere. */
const wishes: Readonly<Partial<Record<string, Wish>>> = {
  text,
  reasoning: text,
  finish: { says: `one of ${finishes.join(', ')}`, takes: (value) => finishes.includes(value) },
  error: text,
  breakOff: { says: 'true or left out', takes: (value) => value === true },
  delayMs: { ...count, says: 'a number of milliseconds, 0 or more' },
  status: {
    says: 'an HTTP status from 400 to 599',
    takes: (value) => Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599,
  },
  cutAfterBytes: count,
}

function checkCalls(calls: unknown, where: string): void {
  if (!Array.isArray(calls)) refuseArgument(`${where} must be a list of calls, not ${shownValue(calls)}.`)
  for (const [place, call] of calls.entries()) {
    const read = readRecord(call, callKeys, `${where}[${place}]`)
    checkJson(read, ['args'], `${where}[${place}]`)
    const { name, argumentsText = '', id = '' } = read
    for (const [key, value] of Object.entries({ name, argumentsText, id })) {
      if (typeof value !== 'string')
        refuseArgument(`${where}[${place}] needs a text as "${key}", not ${shownValue(value)}.`)
    }
  }
}

function checkUsage(usage: unknown, where: string): void {
  for (const [key, value] of Object.entries(readRecord(usage, usageKeys, where))) {
    if (value !== undefined && !count.takes(value))
      refuseArgument(`${where} has ${shownValue(value)} as "${key}"; it must be ${count.says}.`)
  }
}
