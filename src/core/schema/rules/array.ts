import type { JsonArray } from '../../json/value.ts'
import { type Frame, fail, frameOf, type Rule, trial } from '../frame.ts'
import { counted } from './show.ts'
import { identityWithin } from './value.ts'

/** A rule for arrays only; every other value passes. */
export function arrayRule(rule: (items: JsonArray, frame: Frame) => boolean): Rule {
  return (value, frame) => !Array.isArray(value) || rule(value as JsonArray, frame)
}

/** `prefixItems`, and `items` as an array: each element by the schema at its index. */
export function tupleRule(schemas: readonly Rule[]): Rule {
  return arrayRule((items, frame) => {
    let passed = true
    for (let index = 0; index < Math.min(items.length, schemas.length); index += 1) {
      passed = element(items, index, schemas[index]!, frame) && passed
      if (!passed && frame.faults === undefined) return false
    }
    return passed
  })
}

/** `items` and `additionalItems`: the elements from an index on by one schema. */
export function restRule(start: number, schema: Rule): Rule {
  return arrayRule((items, frame) => {
    let passed = true
    for (let index = start; index < items.length; index += 1) {
      passed = element(items, index, schema, frame) && passed
      if (!passed && frame.faults === undefined) return false
    }
    return passed
  })
}

/** `unevaluatedItems`: the elements that no other keyword has looked at. */
export function unevaluatedItemsRule(schema: Rule): Rule {
  return arrayRule((items, frame) => {
    let passed = true
    for (let index = 0; index < items.length; index += 1) {
      if (frame.evaluated?.indices.has(index)) continue
      passed = element(items, index, schema, frame) && passed
    }
    return passed
  })
}

function element(items: JsonArray, index: number, schema: Rule, frame: Frame): boolean {
  frame.evaluated?.indices.add(index)
  return schema(items[index]!, frameOf(frame, index))
}

/** `contains` with its bounds. */
export function containsRule(schema: Rule, least: number, most: number): Rule {
  return arrayRule((items, frame) => {
    let count = 0
    for (let index = 0; index < items.length; index += 1) {
      if (!schema(items[index]!, trial(frameOf(frame, index)))) continue
      frame.evaluated?.indices.add(index)
      count += 1
    }
    if (count < least)
      return fail(frame, `must hold at least ${counted(least, 'item')} of the form in "contains"`)
    return (
      count <= most || fail(frame, `must hold at most ${counted(most, 'item')} of the form in "contains"`)
    )
  })
}

/** `minItems`, `maxItems`, `uniqueItems`. */
export const arraySizeRules = {
  minItems: (limit: number | bigint): Rule =>
    arrayRule(
      (items, frame) => items.length >= limit || fail(frame, `must have at least ${counted(limit, 'item')}`),
    ),
  maxItems: (limit: number | bigint): Rule =>
    arrayRule(
      (items, frame) => items.length <= limit || fail(frame, `must have at most ${counted(limit, 'item')}`),
    ),
} as const

/** `uniqueItems: true`. */
export const uniqueRule: Rule = arrayRule((items, frame) => {
  const firsts = new Map<string, number>()
  for (let index = 0; index < items.length; index += 1) {
    const identity = identityWithin(items[index]!, frame)
    const first = firsts.get(identity)
    if (first !== undefined) return fail(frame, `must not hold one item twice (items ${first} and ${index})`)
    firsts.set(identity, index)
  }
  return true
})
