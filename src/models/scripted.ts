import type { Clock } from '../core/clock.ts'
import type { Driver, DriverPart, DriverRequest } from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'
import { checkOptions } from '../core/known-keys.ts'
import { checkScriptStep } from './check-script-step.ts'
import { modelBrokeOff, modelFailure } from './failure.ts'
import { partsOf, type ScriptStep } from './script-step.ts'
import { untilAborted } from './until-aborted.ts'

/** The steps in order, or a function that answers each request. Steps count from 1. */
export type Script =
  | readonly ScriptStep[]
  | ((request: DriverRequest, stepNumber: number) => ScriptStep | Promise<ScriptStep>)

export interface ScriptedModelOptions {
  /**
   * Which step a request is answered with. False, the default: requests of this driver are counted. True: answers
   * in the request's messages are counted, so that a run which another process resumes goes on where it was; the
   * history must be whole then.
   */
  readonly fromHistory?: boolean
  /** Milliseconds to wait before every streamed part. Default 0. It takes a clock. */
  readonly delayMs?: number
  readonly clock?: Clock
}

/** A driver that plays a script. */
export interface ScriptedModel extends Driver {
  /** How many steps of the script were not asked for yet; Infinity for a function. */
  remaining(): number
}

/**
 * A model that plays a script: for tests, and for running without a key. Text streams word by word; calls without
 * an id get `call-<step>-<place>`, both from 1; the same script always says the same.
 *
 * Throws INVALID_ARGUMENT when the script is no array and no function, a step of it or an option is none, or a delay
 * comes without a clock; `propose` does so for a step that a function gave. `propose`
 * throws SCRIPT_EXHAUSTED when the script has no step left, and MODEL_FAILED for a step with `error` or `breakOff`.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  checkOptions(options, ['fromHistory', 'delayMs', 'clock'], 'scriptedModel()')
  const wait = waitBetweenParts(options)
  if (!Array.isArray(script) && typeof script !== 'function') {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      'A script is an array of steps or a function; pass one of them.',
    )
  }
  if (Array.isArray(script)) for (const [place, step] of script.entries()) checkScriptStep(step, place + 1)
  let asked = 0
  const propose = (request: DriverRequest, signal: AbortSignal) => {
    const stepNumber = 1 + (options.fromHistory === true ? answersIn(request) : asked)
    asked = Math.max(asked, stepNumber)
    return play(() => stepOf(script, request, stepNumber), stepNumber, wait, signal)
  }
  const remaining = () => (typeof script === 'function' ? Infinity : Math.max(0, script.length - asked))
  return { name, propose, remaining }
}

const name = 'scripted/model'

type Wait = (signal: AbortSignal) => Promise<void>

async function* play(
  nextStep: () => Promise<ScriptStep>,
  stepNumber: number,
  wait: Wait,
  signal: AbortSignal,
): AsyncGenerator<DriverPart, void, undefined> {
  signal.throwIfAborted()
  const step = await untilAborted(nextStep(), signal)
  for (const part of partsOf(step, stepNumber)) {
    await wait(signal)
    signal.throwIfAborted()
    if (part.type === 'finish') failIfTold(step)
    yield part
  }
}

/** A step that fails streams what it says first, as a provider does that fails half-way. */
function failIfTold(step: ScriptStep): void {
  if (typeof step === 'string') return
  if (step.error !== undefined) throw modelFailure(name, new Error(step.error))
  if (step.breakOff === true) throw modelBrokeOff(name)
}

async function stepOf(script: Script, request: DriverRequest, stepNumber: number): Promise<ScriptStep> {
  if (typeof script === 'function') {
    const given: unknown = await script(request, stepNumber)
    checkScriptStep(given, stepNumber)
    return given
  }
  const step = script[stepNumber - 1]
  if (step !== undefined) return step
  throw new ToolpostError(
    'SCRIPT_EXHAUSTED',
    `The script has ${script.length} step${script.length === 1 ? '' : 's'} and was asked for step ${stepNumber}; add a step, or end the conversation before it.`,
    { details: { steps: script.length, stepNumber } },
  )
}

function answersIn(request: DriverRequest): number {
  return request.messages.filter((message) => message.role === 'assistant').length
}

function waitBetweenParts({ delayMs = 0, clock }: ScriptedModelOptions): Wait {
  if (delayMs === 0) return async () => undefined
  if (clock === undefined) {
    throw new ToolpostError('INVALID_ARGUMENT', 'A script with delayMs needs a clock; pass one with it.')
  }
  return (signal) => clock.sleep(delayMs, signal)
}
