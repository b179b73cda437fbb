import { Cache } from './cache.ts'
import {
  casedEnd,
  complement,
  kinds,
  pointsBetween,
  pointsOfProperty,
  type Range,
  united,
} from './code-points.ts'
import type { Member, PatternNode } from './pattern-tree.ts'

/** Properties and classes of this many sources stay known: the platform's engine is asked about every character. */
const known = new Cache<readonly Range[]>(200)

/** The code points that a set, or a dot, takes. */
export function pointsTaken(
  node: Extract<PatternNode, { kind: 'set' | 'dot' }>,
  ignoresCase: boolean,
  dotAll: boolean,
): readonly Range[] {
  if (node.kind === 'dot') return dotAll ? complement([]) : kinds['.']!
  const { negated, members } = node
  const plain = united(
    members.flatMap((member) => (typeof member === 'string' ? property(member) : [member])),
  )
  const taken = negated ? complement(plain) : plain
  return ignoresCase ? inAnyCase(taken, classOf(negated, members)) : taken
}

function property(source: string): readonly Range[] {
  return known.get(source, () => pointsOfProperty(source))
}

function inAnyCase(taken: readonly Range[], source: string): readonly Range[] {
  const cased = known.get(`i ${source}`, () => pointsBetween(source, 'iu', 0, casedEnd))
  const uncased = taken.flatMap(([from, to]): Range[] =>
    to < casedEnd ? [] : [[Math.max(from, casedEnd), to]],
  )
  return united([...cased, ...uncased])
}

function classOf(negated: boolean, members: readonly Member[]): string {
  const written = members.map((member) =>
    typeof member === 'string' ? member : `${escaped(member[0])}-${escaped(member[1])}`,
  )
  return `[${negated ? '^' : ''}${written.join('')}]`
}

function escaped(point: number): string {
  return `\\u{${point.toString(16)}}`
}
