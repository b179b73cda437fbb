import { limits } from '../limits.ts'

const grammar = /^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/

/**
 * What is wrong with a tool's name, or undefined. The core takes the union of the contracts' grammars:
 * 1 to 128 of ASCII letters, digits and `. _ : -`, the first a letter, a digit or `_`; doors that are
 * narrower say so themselves.
 */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'must be a string'
  if (name === '') return 'must not be empty'
  if (name.length > limits.toolNameBytesMax) return `has ${name.length} characters; at most 128 are allowed`
  if (grammar.test(name)) return undefined
  return 'may hold only ASCII letters, digits, ".", "_", ":" and "-", and must begin with a letter, a digit or "_"'
}
