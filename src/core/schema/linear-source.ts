import type { Range } from './code-points.ts'
import { pointsTaken } from './pattern-points.ts'
import type { PatternNode } from './pattern-tree.ts'

/** How often the linear engine lets one thing be repeated, repeats in repeats multiplied. */
const engineRepeatsMax = 1_000

/** Characters that a pattern with all its repeats written out may take: each costs time at every character of a text. */
const sizeMax = 5_000

/** What a group, or whoever compiles the pattern, switches on. */
export interface PatternFlags {
  readonly ignoresCase: boolean
  readonly dotAll: boolean
}

interface Written {
  readonly text: string
  /** The largest product of counts of repeats in repeats. */
  readonly repeats: number
  /** Characters, with all repeats written out. */
  readonly size: number
}

/**
 * A pattern in the words of the linear engine (RE2), meaning the same. Throws an Error with the reason when there is
 * none: look-around, back-references, line edges, and repeats beyond a bound.
 */
export function linearSource(
  tree: PatternNode,
  flags: PatternFlags,
): { readonly text: string; readonly size: number } {
  return written(tree, flags)
}

function written(node: PatternNode, flags: PatternFlags): Written {
  switch (node.kind) {
    case 'set':
    case 'dot':
      return one(setOf(node, flags))
    case 'edge':
      return one(node.source)
    case 'group':
      if (node.on.includes('m')) throw new Error('the modifier "m" is not supported; leave it out')
      return grouped(written(node.body, within(node, flags)))
    case 'choice':
      return grouped(joined(node.options, flags, '|'))
    case 'sequence':
      return joined(node.parts, flags, '')
    case 'repeat':
      return repeated(written(node.body, flags), node.min, node.max)
    case 'look':
      throw new Error('look-around cannot run in linear time; leave it out')
    case 'reference':
      throw new Error('a back-reference cannot run in linear time; leave it out')
  }
}

function one(text: string): Written {
  return { text, repeats: 1, size: 1 }
}

function grouped({ text, ...sizes }: Written): Written {
  return { text: `(?:${text})`, ...sizes }
}

function joined(nodes: readonly PatternNode[], flags: PatternFlags, by: string): Written {
  const all = nodes.map((node) => written(node, flags))
  return {
    text: all.map(({ text }) => text).join(by),
    repeats: all.reduce((most, { repeats }) => Math.max(most, repeats), 1),
    size: bounded(all.reduce((sum, { size }) => sum + size, 0)),
  }
}

/** The switches that hold inside of a group. */
export function within(group: Extract<PatternNode, { kind: 'group' }>, flags: PatternFlags): PatternFlags {
  const { on, off } = group
  return {
    ignoresCase: (flags.ignoresCase || on.includes('i')) && !off.includes('i'),
    dotAll: (flags.dotAll || on.includes('s')) && !off.includes('s'),
  }
}

function setOf(node: Extract<PatternNode, { kind: 'set' | 'dot' }>, flags: PatternFlags): string {
  const [single] = node.kind === 'set' && !node.negated && node.members.length === 1 ? node.members : []
  if (single !== undefined && typeof single !== 'string' && single[0] === single[1]) {
    const point = escaped(single[0])
    return flags.ignoresCase ? `(?i:${point})` : point
  }
  return classOf(pointsTaken(node, flags.ignoresCase, flags.dotAll))
}

function classOf(ranges: readonly Range[]): string {
  if (ranges.length === 0) return '[^\\x{0}-\\x{10ffff}]'
  return `[${ranges.map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`)).join('')}]`
}

function escaped(point: number): string {
  return `\\x{${point.toString(16)}}`
}

function repeated(body: Written, min: number, max: number): Written {
  const most = max === Infinity ? min : max
  const size = bounded(body.size * Math.max(1, most))
  const chunk = Math.floor(engineRepeatsMax / body.repeats)
  const { text } = grouped(body)
  if (most <= chunk) {
    const upper = max === Infinity ? '' : max
    return { text: `${text}{${min},${upper}}`, repeats: body.repeats * Math.max(1, most), size }
  }
  const optional = max === Infinity ? `${text}*` : atMost(text, max - min, chunk)
  return { text: `(?:${exactly(text, min, chunk)}${optional})`, repeats: engineRepeatsMax, size }
}

function exactly(text: string, count: number, chunk: number): string {
  const whole = `${text}{${chunk}}`.repeat(Math.floor(count / chunk))
  return `${whole}${text}{${count % chunk}}`
}

/** Fewer than a chunk, or a chunk and what may follow it: so the engine is at few places at a time. */
function atMost(text: string, count: number, chunk: number): string {
  if (count <= chunk) return `${text}{0,${count}}`
  return `(?:${text}{0,${chunk - 1}}|${text}{${chunk}}${atMost(text, count - chunk, chunk)})`
}

function bounded(size: number): number {
  if (size <= sizeMax) return size
  throw new Error(
    `its repeats come to more than ${sizeMax.toLocaleString('en')} characters in all; bound a length by "maxLength" instead`,
  )
}
