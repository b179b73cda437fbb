import { isJsonObject, type JsonObject } from '../../json/value.ts'
import { FaultList } from '../fault.ts'
import { type Frame, fail, frameOf, type Rule, trial } from '../frame.ts'
import type { Pattern } from '../pattern.ts'
import { counted, show } from './show.ts'
import { spentTest } from './spent-test.ts'

/** A rule for objects only; every other value passes. */
export function objectRule(rule: (object: JsonObject, frame: Frame) => boolean): Rule {
  return (value, frame) => !isJsonObject(value) || rule(value, frame)
}

/** Applies a test to each key until one fails that nobody wants to hear of. */
function everyKey(keys: readonly string[], frame: Frame, test: (key: string) => boolean): boolean {
  let passed = true
  for (const key of keys) {
    passed = test(key) && passed
    if (!passed && frame.faults === undefined) return false
  }
  return passed
}

function member(object: JsonObject, key: string, schema: Rule, frame: Frame): boolean {
  frame.evaluated?.keys.add(key)
  return schema(object[key]!, frameOf(frame, key))
}

/** `required`. Of `notNull`, a name must not stand for null either. */
export function requiredRule(names: readonly string[], notNull: ReadonlySet<string>): Rule {
  return objectRule((object, frame) =>
    everyKey(names, frame, (name) => {
      if (!Object.hasOwn(object, name)) return fail(frame, 'is required', name)
      return object[name] !== null || !notNull.has(name) || fail(frame, 'is required, not null', name)
    }),
  )
}

/** `properties`: own members only. `silentNulls` are those whose null `required` already reports. */
export function propertiesRule(schemas: ReadonlyMap<string, Rule>, silentNulls: ReadonlySet<string>): Rule {
  const names = [...schemas.keys()]
  return objectRule((object, frame) =>
    everyKey(names, frame, (name) => {
      if (!Object.hasOwn(object, name)) return true
      if (object[name] === null && silentNulls.has(name)) return false
      return member(object, name, schemas.get(name)!, frame)
    }),
  )
}

/** `patternProperties`. */
export function patternPropertiesRule(schemas: readonly (readonly [Pattern, Rule])[]): Rule {
  return objectRule((object, frame) =>
    everyKey(Object.keys(object), frame, (key) =>
      schemas.reduce(
        (passed, [pattern, schema]) =>
          (!spentTest(pattern, key, frame) || member(object, key, schema, frame)) && passed,
        true,
      ),
    ),
  )
}

/** `additionalProperties`: the members that neither `properties` nor `patternProperties` names. */
export function additionalRule(schema: Rule, names: ReadonlySet<string>, patterns: readonly Pattern[]): Rule {
  return objectRule((object, frame) => {
    const rest = Object.keys(object).filter(
      (key) => !names.has(key) && !patterns.some((pattern) => spentTest(pattern, key, frame)),
    )
    return everyKey(rest, frame, (key) => member(object, key, schema, frame))
  })
}

/** `unevaluatedProperties`: the members that no other keyword has looked at. */
export function unevaluatedPropertiesRule(schema: Rule): Rule {
  return objectRule((object, frame) => {
    const rest = Object.keys(object).filter((key) => !frame.evaluated?.keys.has(key))
    return everyKey(rest, frame, (key) => member(object, key, schema, frame))
  })
}

/** `propertyNames`: every key, as a string. */
export function propertyNamesRule(schema: Rule): Rule {
  return objectRule((object, frame) =>
    everyKey(Object.keys(object), frame, (key) => {
      if (schema(key, trial(frame))) return true
      if (frame.faults === undefined) return false
      const reasons = new FaultList()
      schema(key, { ...trial(frame, reasons), path: undefined })
      const reason = reasons.all()[0]?.message.replace('the value', `the name ${show(key)}`)
      return fail(frame, `is not allowed: ${reason}`, key)
    }),
  )
}

/** `dependentRequired`, and `dependencies` by names. */
export function dependentRequiredRule(name: string, needed: readonly string[]): Rule {
  return objectRule((object, frame) => {
    if (!Object.hasOwn(object, name)) return true
    const text = `is required when ${show(name)} is given`
    return everyKey(needed, frame, (other) => Object.hasOwn(object, other) || fail(frame, text, other))
  })
}

/** `dependentSchemas`, and `dependencies` by schema. */
export function dependentSchemaRule(name: string, schema: Rule): Rule {
  return objectRule((object, frame) => !Object.hasOwn(object, name) || schema(object, frame))
}

/** `minProperties` and `maxProperties`. */
export const objectSizeRules = {
  minProperties: (limit: number | bigint): Rule =>
    objectRule((object, frame) => {
      const text = `must have at least ${counted(limit, 'property', 'properties')}`
      return Object.keys(object).length >= limit || fail(frame, text)
    }),
  maxProperties: (limit: number | bigint): Rule =>
    objectRule((object, frame) => {
      const text = `must have at most ${counted(limit, 'property', 'properties')}`
      return Object.keys(object).length <= limit || fail(frame, text)
    }),
} as const
