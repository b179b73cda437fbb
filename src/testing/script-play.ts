import type { DriverRequest } from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'
import { describeRequest, describeStep } from './describe-step.ts'
import type { Waiting } from './open-asks.ts'
import type { GivenValues, TestAnswer, TestTurn } from './test-script.ts'
import type { TestStep } from './test-step.ts'

/** A script as it is played: which turn it is, and which steps were used. */
export class ScriptPlay {
  readonly #steps: readonly TestStep[]
  readonly #played = new Set<number>()
  readonly #used = new Set<GivenValues>()
  #turn: TestTurn | undefined
  #answered = 0
  #lastPlace = 0
  #ranOut: ToolpostError | undefined
  #waiting: Waiting | undefined
  #isOver = false

  constructor(steps: readonly TestStep[]) {
    this.#steps = steps
  }

  begin(turn: TestTurn): void {
    this.#turn = turn
    this.#answered = 0
    this.#play(turn.place)
  }

  /** The next answer of the turn. Errors: SCRIPT_EXHAUSTED. */
  answer(request: DriverRequest): TestAnswer {
    const next = this.#turn?.answers[this.#answered]
    if (next === undefined) {
      this.#ranOut = this.#exhausted(request)
      throw this.#ranOut
    }
    this.#answered += 1
    this.#play(next.place)
    for (const given of Object.values(next.given))
      for (const { place } of given.values()) this.#played.add(place)
    return next
  }

  /** The answer that was given last in this turn. */
  get lastAnswer(): TestAnswer | undefined {
    return this.#turn?.answers[this.#answered - 1]
  }

  /** Whether the script has answers to the asks of a tool's calls in the last answer. */
  has(kind: 'decide' | 'input', tool: string): boolean {
    return this.lastAnswer?.given[kind].has(tool) === true
  }

  /** These answers, one for each call; from now on they count as given. */
  use(kind: 'decide' | 'input', tool: string): readonly unknown[] | undefined {
    const given = this.lastAnswer?.given[kind].get(tool)
    if (given !== undefined) this.#used.add(given)
    return given?.values
  }

  /** Where the answers of the script to such an ask stand. */
  placeOf(kind: 'decide' | 'input', tool: string): number | undefined {
    return this.lastAnswer?.given[kind].get(tool)?.place
  }

  /** Where the next wait stands that comes before the model's next answer. */
  get waitPlace(): number | undefined {
    return this.#nextWait()?.place
  }

  /** Plays that wait and gives its milliseconds; undefined when there is none. */
  takeWait(): number | undefined {
    const wait = this.#nextWait()
    if (wait !== undefined) this.#play(wait.place)
    return wait?.durationMs
  }

  /** Whether the turn ended where the script says so, or waits there. Errors: SCRIPT_EXHAUSTED, INVALID_ARGUMENT. */
  end(
    { status, text }: { readonly status: string; readonly text: string },
    waiting: Waiting | undefined,
  ): void {
    if (this.#ranOut !== undefined) throw this.#ranOut
    this.#waiting = waiting
    const how = text === '' ? status : `${status}: ${text}`
    this.#refuseLeft(waiting === undefined ? `was over (${how})` : 'waits')
    this.#refuseIdle(waiting === undefined ? `was over (${how})` : 'waits')
  }

  /** All turns are played; from now on the session is in the test's hands. */
  finish(): void {
    this.#isOver = true
  }

  #nextWait(): TestTurn['waits'][number] | undefined {
    const before = this.#turn?.answers[this.#answered]?.place ?? Number.POSITIVE_INFINITY
    return this.#turn?.waits.find(({ place }) => place < before && !this.#played.has(place))
  }

  #refuseLeft(was: string): void {
    const waiting = this.#waiting
    if (this.#answered === this.#turn?.answers.length && waiting === undefined) return
    const unused = [...this.#steps.entries()].filter(([place]) => !this.#played.has(place))
    if (unused.length === 0) return
    const list = unused.map(([place, step]) => `step ${place + 1}, ${describeStep(step)}`).join('; ')
    const sentences = [
      `The run ${was} after ${this.#last()}, and the script has steps left: ${list}.`,
      ...(waiting === undefined ? [] : [`It waits for ${waiting.asks}.`]),
      ...(waiting?.answers
        ? [`Answer in the script, after step ${this.#lastPlace + 1}: ${waiting.answers}.`]
        : []),
    ]
    throw new ToolpostError('INVALID_ARGUMENT', sentences.join(' '), {
      details: { unusedSteps: unused.map(([place]) => place + 1) },
    })
  }

  /** An answer to an ask that nobody asked says something about the agent that is not so. */
  #refuseIdle(was: string): void {
    for (const { given } of this.#turn?.answers.slice(0, this.#answered) ?? []) {
      for (const kind of ['decide', 'input'] as const) {
        const [idle] = [...given[kind]].filter(([, each]) => !this.#used.has(each))
        if (idle === undefined) continue
        const [tool, { place }] = idle
        const asked = kind === 'decide' ? 'asked for approval' : 'stopped to ask'
        throw new ToolpostError(
          'INVALID_ARGUMENT',
          `Step ${place + 1}, ${describeStep(this.#steps[place] as TestStep)}, answers nothing: the run ${was}, and no call of "${tool}" ${asked} there.`,
          { details: { unusedSteps: [place + 1] } },
        )
      }
    }
  }

  #play(place: number): void {
    this.#played.add(place)
    this.#lastPlace = place
  }

  #last(): string {
    return `step ${this.#lastPlace + 1}, ${describeStep(this.#steps[this.#lastPlace] as TestStep)}`
  }

  #exhausted(request: DriverRequest): ToolpostError {
    const asked = `the model was asked once more (${describeRequest(request)})`
    return new ToolpostError('SCRIPT_EXHAUSTED', `The script ran out: ${this.#howItRanOut(asked)}`, {
      details: { afterStep: this.#lastPlace + 1 },
    })
  }

  #howItRanOut(asked: string): string {
    if (!this.#isOver)
      return `after ${this.#last()}, ${asked}, and this turn has no model step left. Add a model(...) step there.`
    const waiting = this.#waiting
    if (waiting === undefined)
      return `it ended with ${this.#last()}, and ${asked} after that. Add user(...) and model(...) steps to it.`
    const steps = waiting.answers === '' ? 'a model(...) step' : `${waiting.answers} and a model(...) step`
    return `it ended with ${this.#last()}, where the run waited for ${waiting.asks}, and ${asked} after that. Add ${steps} to it.`
  }
}
