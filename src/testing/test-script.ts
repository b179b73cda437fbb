import { ToolpostError } from '../core/error.ts'
import type { ScriptStep } from '../models/script-step.ts'
import { describeStep } from './describe-step.ts'
import type { TestStep } from './test-step.ts'

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
  const turns: (TestTurn & { readonly answers: TestAnswer[] })[] = []
  for (const [place, step] of steps.entries()) {
    if (step.step === 'user') turns.push({ place, text: step.text, answers: [] })
    const turn = turns.at(-1)
    if (turn === undefined) refuse(place, step, 'comes before the first user(...), which begins a run')
    if (step.step === 'model')
      turn.answers.push({ place, said: step.answer, results: new Map(), resultPlaces: [] })
  }
  if (turns.length === 0)
    throw new ToolpostError('INVALID_ARGUMENT', 'A script needs a user(...) step to begin with.')
  const answers = turns.flatMap((turn) => turn.answers)
  for (const [place, step] of steps.entries()) {
    if (step.step !== 'result') continue
    for (const [tool, value] of Object.entries(step.values)) giveResult(steps, answers, place, tool, value)
  }
  return turns
}

/** The answer before a result step is the one meant; the one after it, when that before has no call of the tool. */
function giveResult(
  steps: readonly TestStep[],
  answers: readonly TestAnswer[],
  place: number,
  tool: string,
  value: unknown,
): void {
  const step = steps[place] as TestStep
  const before = answers.findLast((answer) => answer.place < place)
  const after = answers.find((answer) => answer.place > place)
  const meant = [before, after].find((answer) => answer !== undefined && callsOf(answer, tool) > 0)
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

function callsOf({ said }: TestAnswer, tool: string): number {
  const calls = typeof said === 'string' ? [] : (said.calls ?? [])
  return calls.filter((call) => call.name === tool).length
}

function refuse(place: number, step: TestStep, why: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', `Step ${place + 1}, ${describeStep(step)}, ${why}.`)
}
