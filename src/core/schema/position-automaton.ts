import type { Range } from './code-points.ts'
import { type PatternFlags, within } from './linear-source.ts'
import { pointsTaken } from './pattern-points.ts'
import type { PatternNode } from './pattern-tree.ts'

/** How many ways lead to each position: 1, or 2 for more. */
export type Ways = Map<number, number>

interface Part {
  readonly first: Ways
  readonly last: Ways
  /** The ways to match nothing: 0, 1, or 2 for more. */
  readonly empty: number
}

/** Larger patterns are not looked into. */
const positionsMax = 1_500

/** Repeats of at most so many copies are written out, when their body varies; larger ones count as endless. */
const copiesMax = 4

/** The same for bodies that do not vary, in positions. */
const fixedPositionsMax = 128

const nothing: Part = { first: new Map(), last: new Map(), empty: 1 }

/**
 * The positions of a pattern's characters, and which may follow which in how many ways (Glushkov). Bounded repeats
 * beyond a few count as endless, look-around as nothing: its bodies are in `within`, to be looked at by themselves.
 */
export class PositionAutomaton {
  readonly sets: (readonly Range[])[] = []
  readonly follow: Ways[] = []
  readonly within: PatternNode[] = []
  /** Whether a back-reference stands in a repeat. */
  repeatsReference = false
  private loops = 0

  constructor(tree: PatternNode) {
    this.part(tree, { ignoresCase: false, dotAll: false })
  }

  private part(node: PatternNode, flags: PatternFlags): Part {
    switch (node.kind) {
      case 'set':
      case 'dot':
        return this.position(pointsTaken(node, flags.ignoresCase, flags.dotAll))
      case 'edge':
        return nothing
      case 'look':
        this.within.push(node.body)
        return nothing
      case 'reference':
        this.repeatsReference ||= this.loops > 0
        return nothing
      case 'group':
        return this.part(node.body, within(node, flags))
      case 'choice':
        return node.options.map((option) => this.part(option, flags)).reduce(either)
      case 'sequence':
        return node.parts.reduce<Part>((before, part) => this.joined(before, this.part(part, flags)), nothing)
      case 'repeat':
        return this.repeated(node, flags)
    }
  }

  private position(set: readonly Range[]): Part {
    if (this.sets.length >= positionsMax) throw new Error('it is too large to be looked into')
    const ways = new Map([[this.sets.length, 1]])
    this.sets.push(set)
    this.follow.push(new Map())
    return { first: ways, last: ways, empty: 0 }
  }

  private joined(before: Part, after: Part): Part {
    this.connect(before.last, after.first)
    return {
      first: sum(before.first, after.first, before.empty),
      last: sum(after.last, before.last, after.empty),
      empty: Math.min(2, before.empty * after.empty),
    }
  }

  private connect(from: Ways, to: Ways): void {
    for (const [before, ways] of from) {
      for (const [after, others] of to) add(this.follow[before]!, after, ways * others)
    }
  }

  private repeated({ body, min, max }: Extract<PatternNode, { kind: 'repeat' }>, flags: PatternFlags): Part {
    const width = fixedWidth(body)
    const isFixed = width !== undefined && min === max && width * max <= fixedPositionsMax
    this.loops += max > 1 ? 1 : 0
    const part =
      isFixed || max <= copiesMax ? this.copies(body, min, max, flags) : this.loop(body, min, flags)
    this.loops -= max > 1 ? 1 : 0
    return part
  }

  /** An iteration that takes nothing is given up by the engine, so that there is one way to match nothing. */
  private loop(body: PatternNode, min: number, flags: PatternFlags): Part {
    const inner = this.part(body, flags)
    this.connect(inner.last, inner.first)
    // Of iterations that there have to be, any may be the one that takes nothing.
    if (inner.empty > 0 && min > 1) this.connect(inner.last, inner.first)
    return { ...inner, empty: min === 0 ? 1 : inner.empty }
  }

  private copies(body: PatternNode, min: number, max: number, flags: PatternFlags): Part {
    let part = nothing
    for (let copy = max; copy > 0; copy -= 1) {
      const joined = this.joined(this.part(body, flags), part)
      part = copy > min ? { ...joined, empty: 1 } : joined
    }
    return part
  }
}

/** How many characters a pattern takes, when it always takes as many. */
function fixedWidth(node: PatternNode): number | undefined {
  if (node.kind === 'set' || node.kind === 'dot') return 1
  if (node.kind === 'group') return fixedWidth(node.body)
  if (node.kind === 'repeat')
    return node.min === node.max ? times(fixedWidth(node.body), node.max) : undefined
  if (node.kind !== 'sequence') return undefined
  return node.parts
    .map(fixedWidth)
    .reduce((one, other) => (one === undefined || other === undefined ? undefined : one + other), 0)
}

function times(width: number | undefined, count: number): number | undefined {
  return width === undefined ? undefined : width * count
}

function either(one: Part, other: Part): Part {
  return {
    first: sum(one.first, other.first, 1),
    last: sum(one.last, other.last, 1),
    empty: Math.min(2, one.empty + other.empty),
  }
}

function sum(one: Ways, other: Ways, times: number): Ways {
  const all = new Map(one)
  if (times > 0) for (const [position, ways] of other) add(all, position, ways * times)
  return all
}

function add(ways: Ways, position: number, more: number): void {
  ways.set(position, Math.min(2, (ways.get(position) ?? 0) + more))
}
