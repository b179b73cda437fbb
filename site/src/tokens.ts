/// <reference path="./sucrase-parser.d.ts" />
import { parse } from 'sucrase/dist/parser/index.js'
import { TokenType } from 'sucrase/dist/parser/tokenizer/types.js'

/** A token of JavaScript. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** How many brackets, of whatever kind, are open where it begins. */
  readonly depth: number
  /** Whether it is the first one on its line. */
  readonly startsLine: boolean
  /** Whether it names something that is declared at the top level. */
  readonly declares: boolean
  /** Whether it is the text of a template, in which words mean nothing. */
  readonly isText: boolean
}

/** Of Sucrase's roles: a declaration at the top level, the same in a pattern without a colon, and in an import. */
const declaringRoles: readonly (number | null)[] = [2, 5, 9]

const opening: readonly TokenType[] = [
  TokenType.parenL,
  TokenType.bracketL,
  TokenType.braceL,
  TokenType.dollarBraceL,
]
const closing: readonly TokenType[] = [TokenType.parenR, TokenType.bracketR, TokenType.braceR]

/** The tokens of a JavaScript module, in order. Throws a SyntaxError where it cannot be read. */
export function tokensOf(code: string): readonly Token[] {
  let depth = 0
  const found = parse(code, false, false, false).tokens.filter(({ type }) => type !== TokenType.eof)
  return found.map(({ type, start, end, identifierRole }, index) => {
    const gap = code.slice(found[index - 1]?.end ?? 0, start)
    if (closing.includes(type)) depth -= 1
    const isText = type === TokenType.template
    const startsLine = !isText && (index === 0 || gap.includes('\n'))
    const declares = declaringRoles.includes(identifierRole)
    const token = { text: code.slice(start, end), start, end, depth, startsLine, declares, isText }
    if (opening.includes(type)) depth += 1
    return token
  })
}
