import { RE2JS } from 're2js'
import { messageOf } from '../message-of.ts'
import { linearSource, type PatternFlags } from './linear-source.ts'
import { type PatternNode, patternTree } from './pattern-tree.ts'

/** A pattern that runs in time linear in the text (RE2). */
export interface Pattern {
  /** Its characters, with all repeats written out: what one character of a text may cost. */
  readonly size: number
  test(text: string): boolean
  /** The first match that begins at a place or after it; undefined when there is none. */
  find(text: string, from: number): { readonly start: number; readonly end: number } | undefined
}

const noFlags: PatternFlags = { ignoresCase: false, dotAll: false }

/**
 * Compiles a pattern of JSON Schema (ECMA-262 with Unicode, unanchored). Throws an Error with a sentence when it is
 * no such pattern, or when it needs what cannot run in linear time, such as look-around or back-references.
 */
export function compilePattern(source: string, flags: PatternFlags = noFlags): Pattern {
  const { text: linear, size } = linearSource(readPattern(source), flags)
  const machine = compileLinear(linear)
  return {
    size,
    test: (text) => machine.test(text),
    find: (text, from) => {
      const matcher = machine.matcher(text)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined
    },
  }
}

/** The tree of a pattern of ECMA-262 with Unicode. Throws an Error with a sentence when it is none. */
export function readPattern(source: string): PatternNode {
  if (!isEcmaScript(source)) throw new Error('it is no regular expression of ECMA-262 (flag "u")')
  return patternTree(source)
}

function compileLinear(linear: string): RE2JS {
  try {
    return RE2JS.compile(linear)
  } catch (thrown) {
    const reason = messageOf(thrown, 200).replace(/^error parsing regexp: /, '')
    throw new Error(`the linear engine does not take it (RE2: ${reason})`)
  }
}

function isEcmaScript(source: string): boolean {
  // Many generators write "\-" or "\@", which the Unicode mode refuses although the meaning is plain.
  const strict = source.replace(/\\(.)/gsu, (escaped, character: string) =>
    /[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(character) ? escaped : 'x',
  )
  try {
    new RegExp(strict, 'u')
    return true
  } catch {
    return false
  }
}
