import { RE2JS } from 're2js'
import { messageOf } from '../message-of.ts'

/** A pattern that runs in time linear in the text (RE2). */
export interface Pattern {
  test(text: string): boolean
}

/** White space as ECMA-262 understands `\s`; RE2 knows its ASCII part only. */
const whiteSpace = '\\t\\n\\x{0b}\\f\\r\\p{Z}\\x{feff}'

/** ECMA-262 names the categories of Unicode in full, RE2 by their letters. */
const categories: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Other: 'C',
  Control: 'Cc',
}

/**
 * Compiles a pattern of JSON Schema (ECMA-262 with Unicode, unanchored). Throws an Error with a sentence when it is
 * no such pattern, or when it needs look-around or back-references, which cannot run in linear time.
 */
export function compilePattern(source: string): Pattern {
  if (!isEcmaScript(source)) throw new Error('it is no regular expression of ECMA-262')
  try {
    const machine = RE2JS.compile(translate(source))
    return { test: (text) => machine.test(text) }
  } catch (thrown) {
    const reason = messageOf(thrown, 200).replace(/^error parsing regexp: /, '')
    throw new Error(
      `it cannot run in linear time; leave out look-around and back-references (RE2: ${reason})`,
    )
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

const tokens = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\.|./gsu

/** Rewrites what RE2 reads otherwise than ECMA-262: `.`, `\s`, `\S`, surrogate pairs, names of categories. */
function translate(source: string): string {
  let inClass = false
  const parts = (source.match(tokens) ?? []).map((token) => {
    if (token === '[' && !inClass) inClass = true
    else if (token === ']') inClass = false
    return inClass ? insideClass(token) : outsideClass(token)
  })
  return RE2JS.translateRegExp(parts.join(''))
}

function outsideClass(token: string): string {
  if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]'
  if (token === '\\s') return `[${whiteSpace}]`
  if (token === '\\S') return `[^${whiteSpace}]`
  return escapeOf(token)
}

function insideClass(token: string): string {
  return token === '\\s' ? whiteSpace : escapeOf(token)
}

function escapeOf(token: string): string {
  if (token.length === 12) return codePoint(token)
  if (!/^\\[pP]\{/.test(token)) return token
  const name = token.slice(3, -1).replace(/^(General_Category|gc|Script|sc|Script_Extensions|scx)=/, '')
  const short = Object.hasOwn(categories, name) ? categories[name] : name
  return `${token.slice(0, 2)}{${short}}`
}

function codePoint(pair: string): string {
  const [high, low] = [Number.parseInt(pair.slice(2, 6), 16), Number.parseInt(pair.slice(8), 16)]
  return `\\x{${((high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000).toString(16)}}`
}
