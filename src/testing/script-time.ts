import type { Clock } from '../core/clock.ts'
import { describeStep } from './describe-step.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { refuseArgument } from './refuse-argument.ts'
import type { ScriptPlay } from './script-play.ts'
import type { TestStep } from './test-step.ts'

/** Turns of the event loop without any event after which a run counts as quiet. */
const quietTurns = 3

/** The clock that a script's wait(...) steps move; undefined when it has none. Errors: INVALID_ARGUMENT. */
export function scriptClock(
  steps: readonly TestStep[],
  given: Clock | undefined,
  own: Clock,
): ManualClock | undefined {
  const place = steps.findIndex(({ step }) => step === 'wait')
  const step = steps[place]
  if (step === undefined) return undefined
  if (given === undefined) return isMovable(own) ? own : manualClock()
  if (isMovable(given)) return given
  return refuseArgument(
    `Step ${place + 1}, ${describeStep(step)}, needs a clock that can be moved; leave the option "clock" out, or give it manualClock().`,
  )
}

function isMovable(clock: Clock): clock is ManualClock {
  return typeof (clock as Partial<ManualClock>).advance === 'function'
}

/** The time of a script: it stands still but for the wait(...) steps, which pass one after another. */
export class ScriptTime {
  readonly #clock: ManualClock
  readonly #play: ScriptPlay
  #passing: Promise<unknown> = Promise.resolve()

  constructor(clock: ManualClock, play: ScriptPlay) {
    this.#clock = clock
    this.#play = play
  }

  /** Lets all the time pass that stands before the model's next answer. */
  async passAll(): Promise<void> {
    while (await this.passOne());
  }

  /** Lets the next of it pass; false when there is none. */
  async passOne(): Promise<boolean> {
    const passed = this.#passing.then(async () => {
      const durationMs = this.#play.takeWait()
      if (durationMs !== undefined) await this.#clock.advance(durationMs)
      return durationMs !== undefined
    })
    this.#passing = passed.catch(() => undefined)
    return await passed
  }

  /** Sees a run through: whenever nothing of it goes on any more, the next time passes. `seen` counts what it showed. */
  async during<Result>(running: Promise<Result>, seen: () => number): Promise<Result> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    running.then(over, over)
    for (let quiet = 0; !isOver; ) {
      const before = seen()
      // Wakes what sleeps for no time at all, too.
      await this.#clock.advance(0)
      quiet = seen() === before ? quiet + 1 : 0
      if (isOver || quiet < quietTurns) continue
      await this.passOne()
      quiet = 0
    }
    return await running
  }
}
