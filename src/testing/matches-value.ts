import { plainJson } from '../core/json/encode.ts'

/** An expectation of a test runner, such as `expect.any(Number)`, by its shape: Jest and Vitest share it. */
interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean
}

/**
 * Whether a value is as expected. An object is when it has all the members expected, and more do not matter; a list
 * when it has as many items, each as expected; a text when it is equal, or when a regular expression finds itself in
 * it. Expectations of a test runner decide for themselves. What is no plain data counts as its JSON.
 */
export function matchesValue(actual: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  if (expected instanceof RegExp) return typeof actual === 'string' && found(actual, expected)
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (Array.isArray(expected)) return Array.isArray(actual) && matchesItems(actual, expected)
  if (!isPlain(expected)) return matchesValue(actual, plainJson(expected))
  return isPlain(actual) && matchesMembers(actual, expected)
}

/** Whether a text is equal, or a regular expression finds itself in it. */
export function matchesText(actual: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? actual === expected : found(actual, expected)
}

/** Whether a value is an expectation of a test runner. */
export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as Partial<AsymmetricMatcher>).asymmetricMatch === 'function'
}

/** A regular expression that remembers where it was is asked from the beginning. */
function found(text: string, { source, flags }: RegExp): boolean {
  return new RegExp(source, flags).test(text)
}

function matchesItems(actual: readonly unknown[], expected: readonly unknown[]): boolean {
  return (
    actual.length === expected.length && expected.every((each, place) => matchesValue(actual[place], each))
  )
}

function matchesMembers(actual: Record<string, unknown>, expected: Record<string, unknown>): boolean {
  return Object.entries(expected).every(([key, each]) =>
    matchesValue(Object.hasOwn(actual, key) ? actual[key] : undefined, each),
  )
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
