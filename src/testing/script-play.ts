import type { DriverRequest } from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'
import type { ScriptStep } from '../models/script-step.ts'
import { describeRequest, describeStep } from './describe-step.ts'
import type { TestAnswer, TestTurn } from './test-script.ts'
import type { TestStep } from './test-step.ts'

/** A script as it is played: which turn it is, and which steps were used. */
export class ScriptPlay {
  readonly #steps: readonly TestStep[]
  readonly #played = new Set<number>()
  #turn: TestTurn | undefined
  #answered = 0
  #lastPlace = 0
  #ranOut: ToolpostError | undefined

  constructor(steps: readonly TestStep[]) {
    this.#steps = steps
  }

  begin(turn: TestTurn): void {
    this.#turn = turn
    this.#answered = 0
    this.#play(turn.place)
  }

  /** The next answer of the turn. Errors: SCRIPT_EXHAUSTED. */
  answer(request: DriverRequest): ScriptStep {
    const next = this.#turn?.answers[this.#answered]
    if (next === undefined) {
      this.#ranOut = this.#exhausted(request)
      throw this.#ranOut
    }
    this.#answered += 1
    this.#play(next.place)
    for (const place of next.resultPlaces) this.#played.add(place)
    return next.said
  }

  /** The answer that was given last in this turn. */
  get lastAnswer(): TestAnswer | undefined {
    return this.#turn?.answers[this.#answered - 1]
  }

  /** Whether the turn ended where the script says so. Errors: SCRIPT_EXHAUSTED, INVALID_ARGUMENT. */
  end(ended: { readonly status: string; readonly text: string }): void {
    if (this.#ranOut !== undefined) throw this.#ranOut
    const isDone = this.#answered === this.#turn?.answers.length
    if (isDone && ended.status !== 'waiting') return
    const unused = [...this.#steps.entries()].filter(([place]) => !this.#played.has(place))
    if (unused.length === 0) return
    const list = unused.map(([place, step]) => `step ${place + 1}, ${describeStep(step)}`).join('; ')
    const how = ended.text === '' ? ended.status : `${ended.status}: ${ended.text}`
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The run was over (${how}) after ${this.#last()}, and the script has steps left: ${list}.`,
      { details: { unusedSteps: unused.map(([place]) => place + 1) } },
    )
  }

  #play(place: number): void {
    this.#played.add(place)
    this.#lastPlace = place
  }

  #last(): string {
    return `step ${this.#lastPlace + 1}, ${describeStep(this.#steps[this.#lastPlace] as TestStep)}`
  }

  #exhausted(request: DriverRequest): ToolpostError {
    return new ToolpostError(
      'SCRIPT_EXHAUSTED',
      `The script ran out: after ${this.#last()}, the model was asked once more (${describeRequest(request)}), and this turn has no model step left. Add a model(...) step there.`,
      { details: { afterStep: this.#lastPlace + 1 } },
    )
  }
}
