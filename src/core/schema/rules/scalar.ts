import { isMultipleOf } from '../decimal.ts'
import { fail, type Rule } from '../frame.ts'
import type { Pattern } from '../pattern.ts'
import { counted, show } from './show.ts'
import { spentTest } from './spent-test.ts'

type Numeric = number | bigint

/** A comparison with a limit; numbers and big integers compare exactly with each other. */
function limitRule(limit: Numeric, passes: (value: Numeric) => boolean, text: string): Rule {
  const sentence = `must be ${text} ${limit}`
  return (value, frame) =>
    (typeof value !== 'number' && typeof value !== 'bigint') || passes(value) || fail(frame, sentence)
}

/** The keywords that bound a number. */
export const numberRules = {
  minimum: (limit: Numeric) => limitRule(limit, (value) => value >= limit, 'at least'),
  maximum: (limit: Numeric) => limitRule(limit, (value) => value <= limit, 'at most'),
  exclusiveMinimum: (limit: Numeric) => limitRule(limit, (value) => value > limit, 'greater than'),
  exclusiveMaximum: (limit: Numeric) => limitRule(limit, (value) => value < limit, 'less than'),
  multipleOf: (divisor: Numeric) =>
    limitRule(divisor, (value) => isMultipleOf(value, divisor), 'a multiple of'),
} as const satisfies Record<string, (limit: Numeric) => Rule>

/** `minLength` and `maxLength`, in code points. */
export const lengthRules = {
  minLength: (limit: Numeric): Rule => {
    const text = `must have at least ${counted(limit, 'character')}`
    return (value, frame) => typeof value !== 'string' || codePoints(value) >= limit || fail(frame, text)
  },
  maxLength: (limit: Numeric): Rule => {
    const text = `must have at most ${counted(limit, 'character')}`
    return (value, frame) =>
      typeof value !== 'string' || value.length <= limit || codePoints(value) <= limit || fail(frame, text)
  },
} as const

/** `pattern`: found anywhere in the text. */
export function patternRule(source: string, pattern: Pattern): Rule {
  const text = `must match the pattern ${show(source)}`
  return (value, frame) => {
    if (typeof value !== 'string') return true
    return spentTest(pattern, value, frame) || fail(frame, text)
  }
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
