import { compiles } from './compiles.ts'
import type { Token } from './tokens.ts'

/** What would go on with the line before it, or begin a statement that looks like an expression. */
const neverFirst = /^(?:[([`+\-*/.,?:<>=&|^%!{]|(?:class|function|async|let|in|instanceof)\b)/

/** A piece of a text. */
export interface Piece {
  readonly start: number
  readonly end: number
}

/**
 * Where the last statement stands, without its semicolon, if it is an expression: its value is what a cell shows.
 * JavaScript has no shorter answer than its own parser: each place where a statement could begin is tried, the last
 * one first, and the engine says whether what stands before it is whole and what follows is an expression.
 */
export function lastExpression(code: string, tokens: readonly Token[]): Piece | undefined {
  const last = tokens.at(-1)
  const end = last?.text === ';' ? last.start : code.length
  const begins = tokens.filter((token, index) => {
    const before = tokens[index - 1]?.text
    return token.depth === 0 && (token.startsLine || before === ';') && isFirst(token, before)
  })
  const begin = begins.findLast(
    ({ start }) => compiles(`return (\n${code.slice(start, end)}\n)`) && compiles(code.slice(0, start)),
  )
  return begin && { start: begin.start, end }
}

function isFirst({ text }: Token, before: string | undefined): boolean {
  if (before === ';' || before === undefined) return !/^(?:\{|(?:class|function|async|let)\b)/.test(text)
  return !neverFirst.test(text)
}
