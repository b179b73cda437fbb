import type { ScriptStep } from '../models/script-step.ts'
import { checkStep } from './check-step.ts'
import { describeStep, errorText } from './describe-step.ts'
import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'
import type { DecideStep, InputStep, ModelStep, ResultStep, TestStep } from './test-step.ts'

/** A step whose values are told apart by tools. */
type ValueStep = ResultStep | InputStep | DecideStep

/** What a step gives to the calls of one tool in an answer. */
export interface GivenValues {
  readonly place: number
  /** One for each of the calls, in order. */
  readonly values: readonly unknown[]
}

/** An answer of the model with what stands in for its tools. */
export interface TestAnswer {
  /** Place among all steps, from 0. */
  readonly place: number
  readonly said: ScriptStep
  readonly delayMs: number
  /** By the kind of the step, then by tool. */
  readonly given: Readonly<Record<ValueStep['step'], Map<string, GivenValues>>>
}

/** What the user says, and the model's answers until the user speaks again. */
export interface TestTurn {
  readonly place: number
  readonly text: string
  readonly answers: readonly TestAnswer[]
  /** The times that pass, by their places. */
  readonly waits: readonly { readonly place: number; readonly durationMs: number }[]
}

/** A turn while its steps are read. */
interface TurnDraft extends TestTurn {
  readonly answers: TestAnswer[]
  readonly waits: { readonly place: number; readonly durationMs: number }[]
  /** Where its steps with values stand. */
  readonly values: number[]
}

/** Orders a script by turns. Errors: INVALID_ARGUMENT for a step that stands where it can have no effect. */
export function readScript(steps: readonly TestStep[]): readonly TestTurn[] {
  if (!Array.isArray(steps)) refuseArgument(`A script is a list of steps, not ${shownValue(steps)}.`)
  steps.forEach(checkStep)
  const turns: TurnDraft[] = []
  for (const [place, step] of steps.entries()) {
    if (step.step === 'user') turns.push({ place, text: step.text, answers: [], waits: [], values: [] })
    const turn = turns.at(-1)
    if (turn === undefined) refuse(place, step, 'comes before the first user(...), which begins a run')
    if (step.step === 'model') turn.answers.push(answerOf(place, step))
    else if (step.step === 'wait') turn.waits.push({ place, durationMs: step.durationMs })
    else if (step.step !== 'user') turn.values.push(place)
  }
  if (turns.length === 0) refuseArgument('A script needs a user(...) step to begin with.')
  for (const { answers, values } of turns)
    for (const place of values) giveValues(answers, place, steps[place] as ValueStep)
  return turns
}

function answerOf(place: number, { answer }: ModelStep): TestAnswer {
  const given = { result: new Map(), input: new Map(), decide: new Map() }
  if (typeof answer === 'string') return { place, said: answer, delayMs: 0, given }
  const { toolCalls, error, delayMs = 0, ...rest } = answer
  const said = {
    ...rest,
    ...(toolCalls === undefined ? {} : { calls: toolCalls }),
    ...(error === undefined ? {} : { error: errorText(error) }),
  }
  return { place, said, delayMs, given }
}

function giveValues(answers: readonly TestAnswer[], place: number, step: ValueStep): void {
  for (const [tool, value] of Object.entries(step.values)) {
    const meant = answerBeside(answers, place, tool)
    if (meant === undefined) refuse(place, step, `stands beside no model step that calls "${tool}"`)
    const count = callsOf(meant, tool)
    const values: readonly unknown[] = Array.isArray(value) ? value : Array(count).fill(value)
    if (values.length !== count) {
      refuse(place, step, `lists ${values.length} values for "${tool}", which is called ${count} times there`)
    }
    const given = meant.given[step.step]
    if (given.has(tool)) refuse(place, step, `gives a second ${step.step} of "${tool}" for one answer`)
    given.set(tool, { place, values })
  }
}

/** The answer before a result step is the one meant; the one after it, when that before has no call of the tool. */
function answerBeside(answers: readonly TestAnswer[], place: number, tool: string): TestAnswer | undefined {
  const before = answers.findLast((answer) => answer.place < place)
  const after = answers.find((answer) => answer.place > place)
  return [before, after].find((answer) => answer !== undefined && callsOf(answer, tool) > 0)
}

function callsOf({ said }: TestAnswer, tool: string): number {
  const calls = typeof said === 'string' ? [] : (said.calls ?? [])
  return calls.filter((call) => call.name === tool).length
}

function refuse(place: number, step: TestStep, why: string): never {
  refuseArgument(`Step ${place + 1}, ${describeStep(step)}, ${why}.`)
}
