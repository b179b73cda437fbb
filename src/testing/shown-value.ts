import { isAsymmetric } from './matches-value.ts'

const shownCharactersMax = 300

/** A value for a sentence, on one line: JSON, with regular expressions and expectations of a test runner in words. */
export function shownValue(value: unknown): string {
  const text = inWords(value)
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}

function inWords(value: unknown): string {
  if (isOfTests(value)) return wordsOf(value)
  try {
    return (
      JSON.stringify(value, (_key, each: unknown) => (isOfTests(each) ? wordsOf(each) : each)) ??
      String(value)
    )
  } catch {
    return String(value)
  }
}

function isOfTests(value: unknown): boolean {
  return typeof value === 'bigint' || value instanceof RegExp || isAsymmetric(value)
}

function wordsOf(value: unknown): string {
  const { toAsymmetricMatcher } = value as { toAsymmetricMatcher?: unknown }
  return typeof toAsymmetricMatcher === 'function' ? String(toAsymmetricMatcher.call(value)) : String(value)
}
