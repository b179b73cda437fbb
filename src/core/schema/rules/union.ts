import type { JsonValue } from '../../json/value.ts'
import { type Fault, FaultList, subjectOf } from '../fault.ts'
import { adopt, type Frame, fail, pointerOf, type Rule, trial } from '../frame.ts'

/** `allOf`. */
export function allOfRule(schemas: readonly Rule[]): Rule {
  return (value, frame) => {
    let passed = true
    for (const schema of schemas) {
      passed = schema(value, frame) && passed
      if (!passed && frame.faults === undefined) return false
    }
    return passed
  }
}

/** `anyOf`. When no branch fits, it reports the faults of the branch that was probably meant. */
export function anyOfRule(schemas: readonly Rule[]): Rule {
  return (value, frame) => {
    const branches: FaultList[] = []
    let passed = false
    for (const schema of schemas) {
      passed = branch(schema, value, frame, branches) || passed
      // All branches are looked at only where what they looked at matters.
      if (passed && frame.evaluated === undefined) return true
    }
    return passed || report(branches, frame)
  }
}

/** `oneOf`. */
export function oneOfRule(schemas: readonly Rule[]): Rule {
  return (value, frame) => {
    const branches: FaultList[] = []
    const fitting: number[] = []
    for (const [index, schema] of schemas.entries()) {
      if (branch(schema, value, frame, branches)) fitting.push(index + 1)
      if (fitting.length > 1 && frame.faults === undefined) return false
    }
    if (fitting.length === 1) return true
    if (fitting.length === 0) return report(branches, frame)
    return fail(
      frame,
      `must fit one of its ${schemas.length} forms only, but fits numbers ${fitting.join(' and ')}`,
    )
  }
}

/** `not`. */
export function notRule(schema: Rule): Rule {
  return (value, frame) => !schema(value, trial(frame)) || fail(frame, 'has the form that "not" excludes')
}

/** `if`, `then`, `else`. */
export function conditionRule(condition: Rule, then: Rule, otherwise: Rule): Rule {
  return (value, frame) => {
    const attempt = trial(frame)
    if (!condition(value, attempt)) return otherwise(value, frame)
    adopt(frame, attempt)
    return then(value, frame)
  }
}

function branch(schema: Rule, value: JsonValue, frame: Frame, failed: FaultList[]): boolean {
  const attempt = trial(frame, frame.faults && new FaultList())
  const passed = schema(value, attempt)
  if (passed) adopt(frame, attempt)
  else if (attempt.faults !== undefined) failed.push(attempt.faults)
  return passed
}

function report(branches: readonly FaultList[], frame: Frame): false {
  if (frame.faults === undefined) return false
  const pointer = pointerOf(frame.path)
  const meant = probablyMeant(branches, pointer)
  if (meant.length === 1) for (const fault of meant[0]!.all()) frame.faults.add(fault)
  else if (branches.every((one) => one.isMismatchAt(pointer))) {
    const forms = branches.map((one) => one.all())
    frame.faults.addMismatch(
      { pointer, message: `${subjectOf(pointer)} ${alternatives(forms, pointer)}` },
      'type',
    )
  } else reportForms(meant, pointer, frame, branches.length)
  return false
}

/** What is wrong in every form that may be meant is said as such; a form that nothing else is wrong with is the one meant. */
function reportForms(meant: readonly FaultList[], pointer: string, frame: Frame, count: number): void {
  const faults = meant.map((one) => one.all())
  const isEverywhere = ({ message }: Fault) =>
    faults.every((others) => others.some((other) => other.message === message))
  const [first = []] = faults
  for (const fault of first.filter(isEverywhere)) frame.faults?.add(fault)
  const rests = faults.map((of) => of.filter((fault) => !isEverywhere(fault)))
  if (faults.length > 0 && rests.some((rest) => rest.length === 0)) return
  fail(frame, `fits none of its ${count} forms: ${alternatives(rests, pointer)}`)
}

/** The branches that a value of this kind can mean: not those for another type, nor for another discriminator. */
function probablyMeant(branches: readonly FaultList[], pointer: string): readonly FaultList[] {
  const sameType = branches.filter((one) => !one.isMismatchAt(pointer))
  const sameKind = sameType.filter((one) => !one.isOtherValueBelow(pointer))
  return sameKind.length > 0 ? sameKind : sameType
}

function alternatives(branches: readonly (readonly Fault[])[], pointer: string): string {
  const texts = branches.slice(0, 8).map((one) => shortened(one, pointer))
  const more = branches.length > texts.length ? `; and ${branches.length - texts.length} more` : ''
  return [...new Set(texts)].join(', or ') + more
}

function shortened(faults: readonly Fault[], pointer: string): string {
  const [first] = faults
  if (first === undefined) return 'is not allowed'
  const subject = `${subjectOf(pointer)} `
  return first.pointer === pointer && first.message.startsWith(subject)
    ? first.message.slice(subject.length)
    : first.message
}
