import { messageOf } from '../message-of.ts'
import { overlap } from './code-points.ts'
import { isSchemaObject, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { innerSchemas } from './keywords.ts'
import { readPattern } from './pattern.ts'
import { type PatternNode, patternTree } from './pattern-tree.ts'
import { PositionAutomaton } from './position-automaton.ts'
import { below, SchemaRefusal } from './refusal.ts'

/**
 * Refuses the patterns of a library's schema that may take exponential time: the library runs them in the platform's
 * engine, which tries every way to read a text. Throws SchemaRefusal with the place.
 *
 * What it lets through may still take time that grows with the square of a text or faster, as `a*a*b` does.
 */
export function refuseExplosivePatterns(root: Subschema): void {
  const open: { readonly schema: Subschema; readonly pointer: string }[] = [{ schema: root, pointer: '' }]
  for (const { schema, pointer } of open) {
    if (typeof schema === 'boolean') continue
    for (const [pattern, place] of patternsOf(schema, pointer)) refuseExplosive(pattern, place)
    open.push(...innerSchemas(schema, pointer))
  }
}

function patternsOf(schema: JsonSchema, pointer: string): [string, string][] {
  const [pattern, keyed] = [own(schema, 'pattern'), own(schema, 'patternProperties')]
  const place = below(pointer, 'patternProperties')
  const keys = isSchemaObject(keyed) ? Object.keys(keyed) : []
  return [
    ...(typeof pattern === 'string' ? [[pattern, below(pointer, 'pattern')] as [string, string]] : []),
    ...keys.map((key): [string, string] => [key, below(place, key)]),
  ]
}

function refuseExplosive(pattern: string, place: string): void {
  const why = explosion(pattern)
  if (why === undefined) return
  throw new SchemaRefusal(
    place,
    `the library runs the pattern ${JSON.stringify(pattern)} in an engine that may take exponential time for it: ${why}; write it otherwise, or give a plain JSON Schema, whose patterns run in linear time`,
  )
}

/** Why a backtracking engine may need exponential time for a pattern; undefined when it surely does not. */
export function explosion(pattern: string): string | undefined {
  try {
    return explosionOf(readLoosely(pattern))
  } catch (thrown) {
    return messageOf(thrown, 200)
  }
}

/** A library may run a pattern without Unicode, where a bracket without its other half is a character. */
function readLoosely(pattern: string): PatternNode {
  try {
    return readPattern(pattern)
  } catch (thrown) {
    if (!isWithoutUnicode(pattern)) throw thrown
    return patternTree(pattern)
  }
}

function isWithoutUnicode(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

function explosionOf(tree: PatternNode): string | undefined {
  const automaton = new PositionAutomaton(tree)
  if (automaton.repeatsReference) return 'a back-reference is repeated'
  if (isAmbiguous(automaton)) return 'a repeat can read the same text in two ways'
  for (const inner of automaton.within) {
    const why = explosionOf(inner)
    if (why !== undefined) return why
  }
  return undefined
}

/**
 * Whether two ways lead from some position back to it over the same text (exponential ambiguity; Weber and Seidl, On
 * the degree of ambiguity of finite automata, 1991): then every further round doubles the ways.
 */
function isAmbiguous(automaton: PositionAutomaton): boolean {
  return circles(automaton).some((circle) => partsAndMeets(automaton, circle))
}

/** The positions that lead to each other, each group once. */
function circles({ follow }: PositionAutomaton): ReadonlySet<number>[] {
  const reached = follow.map((_, from) => reachedFrom(from, (at) => follow[at]!.keys()))
  const found: ReadonlySet<number>[] = []
  const placed = new Set<number>()
  for (const [from, others] of reached.entries()) {
    if (placed.has(from) || !others.has(from)) continue
    const circle = new Set([...others].filter((other) => reached[other]!.has(from)))
    for (const position of circle) placed.add(position)
    found.push(circle)
  }
  return found
}

function reachedFrom(start: number, next: (at: number) => Iterable<number>): ReadonlySet<number> {
  const found = new Set(next(start))
  for (const at of found) for (const other of next(at)) found.add(other)
  return found
}

/** Whether two readings of one text part within a circle and meet again. */
function partsAndMeets({ follow, sets }: PositionAutomaton, circle: ReadonlySet<number>): boolean {
  const width = sets.length
  const inside = [...circle].map(
    (at) => [at, [...follow[at]!.keys()].filter((to) => circle.has(to))] as const,
  )
  const steps = new Map(inside)
  if ([...circle].some((at) => steps.get(at)!.some((to) => follow[at]!.get(to)! > 1))) return true
  const meets = new Map<number, boolean>()
  const share = (one: number, other: number): boolean => {
    const key = Math.min(one, other) * width + Math.max(one, other)
    const known = meets.get(key) ?? overlap(sets[one]!, sets[other]!)
    meets.set(key, known)
    return known
  }
  const pairsAfter = (one: number, other: number): [number, number][] =>
    steps
      .get(one)!
      .flatMap((to) =>
        steps.get(other)!.flatMap((also) => (share(to, also) ? [[to, also] as [number, number]] : [])),
      )
  const seen = new Set<number>()
  const open = [...circle].flatMap((at) => pairsAfter(at, at).filter(([one, other]) => one < other))
  for (const [one, other] of open) {
    if (one === other) return true
    const key = Math.min(one, other) * width + Math.max(one, other)
    if (seen.has(key)) continue
    seen.add(key)
    open.push(...pairsAfter(one, other))
  }
  return false
}
