import type { JsonValue } from '../json/value.ts'
import { type FaultList, faultAt, type Mismatch } from './fault.ts'
import { below } from './refusal.ts'
import type { Resource } from './resource.ts'

/** What one validation may cost, in applications of a schema to a value: below a second. */
export const stepsMax = 5_000_000

/** References may nest no deeper at one time than an engine's stack surely holds. */
export const nestingMax = 1_000

/** Thrown when a validation passes its bound; it never leaves the validator. */
export class OutOfBounds extends Error {}

/** The count that all frames of one validation share. */
export interface Budget {
  steps: number
  nesting: number
}

/** Which members and elements of one value some schema has looked at, for the unevaluated keywords. */
export interface Evaluated {
  readonly keys: Set<string>
  readonly indices: Set<number>
}

/** The way to a value, from its end. */
export interface Path {
  readonly parent: Path | undefined
  readonly step: string | number
}

/** The resources that were entered on the way, the innermost first: what `$dynamicRef` looks through. */
export interface Scope {
  readonly resource: Resource
  readonly outer: Scope | undefined
}

/** What a rule knows besides the value. */
export interface Frame {
  readonly budget: Budget
  /** Where faults go; undefined when only yes or no is asked for, so that the first fault ends the matter. */
  readonly faults: FaultList | undefined
  readonly path: Path | undefined
  readonly scope: Scope
  /** Undefined when no unevaluated keyword stands anywhere in the schema. */
  readonly evaluated: Evaluated | undefined
}

/** One keyword of one schema, compiled. Gives whether the value passes; tells why not when the frame has a list. */
export type Rule = (value: JsonValue, frame: Frame) => boolean

/** Counts work against the bound. Throws OutOfBounds beyond it. */
export function spend(frame: Frame, steps: number): void {
  frame.budget.steps += steps
  if (frame.budget.steps > stepsMax) throw new OutOfBounds()
}

/** Reports a fault of the value in sight, or of a member of it. Always gives false. */
export function fail(frame: Frame, text: string, member?: string | number): false {
  if (frame.faults === undefined) return false
  const here = pointerOf(frame.path)
  frame.faults.add(faultAt(member === undefined ? here : below(here, member), text))
  return false
}

/** Reports that the value in sight is of another type or none of the listed values. Always gives false. */
export function mismatch(frame: Frame, text: string, kind: Mismatch): false {
  frame.faults?.addMismatch(faultAt(pointerOf(frame.path), text), kind)
  return false
}

/** The frame of a member or an element. */
export function frameOf(frame: Frame, step: string | number): Frame {
  return { ...frame, path: { parent: frame.path, step }, evaluated: frame.evaluated && nothingEvaluated() }
}

/** A frame for a schema whose outcome is only one part of a decision: its faults go to `faults`, or nowhere. */
export function trial(frame: Frame, faults?: FaultList): Frame {
  return { ...frame, faults, evaluated: frame.evaluated && nothingEvaluated() }
}

/** Takes over what a schema that passed has looked at. */
export function adopt(frame: Frame, passed: Frame): void {
  for (const key of passed.evaluated?.keys ?? []) frame.evaluated?.keys.add(key)
  for (const index of passed.evaluated?.indices ?? []) frame.evaluated?.indices.add(index)
}

/** An empty record of what was looked at. */
export function nothingEvaluated(): Evaluated {
  return { keys: new Set(), indices: new Set() }
}

/** The JSON pointer of a way. */
export function pointerOf(path: Path | undefined): string {
  const steps: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.parent) steps.push(at.step)
  return steps.reduceRight<string>((pointer, step) => below(pointer, step), '')
}
