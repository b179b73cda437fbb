import { type AnswerForm, checkAnswer } from '../check-answer.ts'
import { readRecord } from '../known-keys.ts'
import { refuseArgument } from '../refuse-argument.ts'
import { shownValue } from '../shown-value.ts'

const optionKeys = ['script', 'models']

const stepForm: AnswerForm = {
  keys: ['text', 'reasoning', 'calls', 'finish', 'usage', 'error', 'breakOff', 'status', 'cutAfterBytes'],
  calls: 'calls',
  takesErrors: false,
}

/** Errors: INVALID_ARGUMENT for options, a script, a step of it or models that are none. */
export function checkWireOptions(options: unknown): void {
  const { script, models } = readRecord(options, optionKeys, 'wireServer()')
  if (!Array.isArray(script) && typeof script !== 'function')
    refuseArgument(
      `"script" must be a list of steps or a function that gives one, not ${shownValue(script)}.`,
    )
  if (Array.isArray(script)) for (const [place, step] of script.entries()) checkWireStep(step, place + 1)
  if (models === undefined) return
  const areNames = Array.isArray(models) && models.every((name) => typeof name === 'string' && name !== '')
  if (!areNames) refuseArgument(`"models" must be a list of names, not ${shownValue(models)}.`)
}

/** Errors: INVALID_ARGUMENT for what a server cannot answer with. Steps count from 1. */
export function checkWireStep(step: unknown, stepNumber: number): void {
  checkAnswer(step, stepForm, `Step ${stepNumber} of the script`)
}
