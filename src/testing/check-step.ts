import { parseDecision } from '../core/decision.ts'
import { isRecord } from '../core/known-keys.ts'
import { type AnswerForm, checkAnswer } from './check-answer.ts'
import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'
import type { TestStep } from './test-step.ts'

const answerForm: AnswerForm = {
  keys: ['text', 'reasoning', 'toolCalls', 'finish', 'usage', 'error', 'breakOff', 'delayMs'],
  calls: 'toolCalls',
  takesErrors: true,
}

/** Errors: INVALID_ARGUMENT, with the step's place, for what no function of the kit makes or was made of what it does not take. */
export function checkStep(given: unknown, place: number): asserts given is TestStep {
  const step = (isRecord(given) ? given : {}) as Partial<TestStep>
  const where = `Step ${place + 1}, ${step.step}(...)`
  switch (step.step) {
    case 'user':
      if (typeof step.text === 'string') return
      return refuseArgument(`${where} takes a text, not ${shownValue(step.text)}.`)
    case 'model':
      return checkAnswer(step.answer, answerForm, where)
    case 'result':
    case 'input':
      return checkValues(step.values, where, checkValue)
    case 'decide':
      return checkValues(step.values, where, checkDecision)
    case 'wait':
      return checkDuration(step.durationMs, where)
    default:
      return refuseArgument(
        `Step ${place + 1} is no step; make it with user(...), model(...), result(...), input(...), decide(...) or wait(...).`,
      )
  }
}

function checkDuration(given: unknown, where: string): void {
  if (typeof given === 'number' && given >= 0 && Number.isFinite(given)) return
  const shown = typeof given === 'number' ? String(given) : shownValue(given)
  refuseArgument(`${where} takes a number of milliseconds, 0 or more, not ${shown}.`)
}

type CheckValue = (value: unknown, what: string) => void

function checkValues(values: unknown, where: string, check: CheckValue): void {
  if (!isRecord(values))
    refuseArgument(
      `${where} takes an object with a value for each tool, by its name, not ${shownValue(values)}.`,
    )
  for (const [tool, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value]) check(each, `${where}, for "${tool}",`)
}

/** What has no text would be nothing at all for the model. */
function checkValue(value: unknown, what: string): void {
  if (typeof value !== 'function' && typeof value !== 'symbol') return
  refuseArgument(`${what} takes a value, a list of values or an Error, not a ${typeof value}.`)
}

function checkDecision(value: unknown, what: string): void {
  if (value instanceof Error) return
  const parsed = parseDecision(value)
  if ('decision' in parsed) return
  refuseArgument(`${what} takes { approved: true | false, ... }, a list of such or an Error. ${parsed.fault}`)
}
