import { ToolpostError } from '../core/error.ts'
import type { ScriptStep } from '../models/script-step.ts'
import { describeStep } from './describe-step.ts'
import type { ResultStep, TestStep } from './test-step.ts'

/** An answer of the model with what stands in for its tools. */
export interface TestAnswer {
  /** Place among all steps, from 0. */
  readonly place: number
  readonly said: ScriptStep
  /** By tool: one value for each of its calls in the answer, in order. */
  readonly results: Map<string, readonly unknown[]>
  /** Places of the steps that gave the results. */
  readonly resultPlaces: number[]
}

/** What the user says, and the model's answers until the user speaks again. */
export interface TestTurn {
  readonly place: number
  readonly text: string
  readonly answers: readonly TestAnswer[]
}

/** Orders a script by turns. Errors: INVALID_ARGUMENT for a step that stands where it can have no effect. */
export function readScript(steps: readonly TestStep[]): readonly TestTurn[] {
  const turns: (TestTurn & { readonly answers: TestAnswer[]; readonly results: number[] })[] = []
  for (const [place, step] of steps.entries()) {
    if (!['user', 'model', 'result'].includes(step?.step)) refuseNoStep(place)
    if (step.step === 'user') turns.push({ place, text: step.text, answers: [], results: [] })
    const turn = turns.at(-1)
    if (turn === undefined) refuse(place, step, 'comes before the first user(...), which begins a run')
    if (step.step === 'model')
      turn.answers.push({ place, said: step.answer, results: new Map(), resultPlaces: [] })
    if (step.step === 'result') turn.results.push(place)
  }
  if (turns.length === 0)
    throw new ToolpostError('INVALID_ARGUMENT', 'A script needs a user(...) step to begin with.')
  for (const { answers, results } of turns)
    for (const place of results) giveResults(answers, place, steps[place] as ResultStep)
  return turns
}

function giveResults(answers: readonly TestAnswer[], place: number, step: ResultStep): void {
  for (const [tool, value] of Object.entries(step.values)) {
    const meant = answerBeside(answers, place, tool)
    if (meant === undefined) refuse(place, step, `stands beside no model step that calls "${tool}"`)
    const count = callsOf(meant, tool)
    const values: readonly unknown[] = Array.isArray(value) ? value : Array(count).fill(value)
    if (values.length !== count) {
      refuse(place, step, `lists ${values.length} results of "${tool}", which is called ${count} times there`)
    }
    if (meant.results.has(tool)) refuse(place, step, `gives a second result of "${tool}" for one answer`)
    meant.results.set(tool, values)
    meant.resultPlaces.push(place)
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

function refuseNoStep(place: number): never {
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `Step ${place + 1} is no step; make it with user(...), model(...) or result(...).`,
  )
}

function refuse(place: number, step: TestStep, why: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', `Step ${place + 1}, ${describeStep(step)}, ${why}.`)
}
