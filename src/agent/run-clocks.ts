import type { Clock } from '../core/clock.ts'
import type { DriverTurn } from '../core/driver.ts'
import { countsIdle, overdue, tookTooLong, wasIdle } from '../core/run/clocks.ts'
import type { RunState } from '../core/run/state.ts'
import type { Journal } from '../runtime/journal.ts'

/** Holds a run to its time, and to its signs of life, while this process drives it. At rest its timers are rows. */
export class RunClocks {
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #turn: DriverTurn | undefined
  readonly #stopped = new AbortController()
  #run = ''
  #isBelow: () => boolean = () => false
  #lastAt = 0
  /** Time does not count at present; the next sign of life looks again. */
  #isResting = false
  #cancel = () => {}
  #unlisten = () => {}
  #unlistenTurn = () => {}

  /** With a turn, no time counts while it is awaited, and the whole time begins with it. */
  constructor(journal: Journal, clock: Clock, turn?: DriverTurn) {
    this.#journal = journal
    this.#clock = clock
    this.#turn = turn
  }

  /** Aborts when the run has to be stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  /**
   * Begins to watch. What has run out at rest stops the run at once; but who carries a call outside may have given signs
   * of life that nobody keeps, so that the idle time of such a run begins anew.
   */
  start(run: string): void {
    this.#run = run
    const { endsAt, idle } = this.#state()
    if (endsAt === undefined && idle === undefined) return
    const late = overdue(this.#journal.state, this.#clock.now())
    if (late !== undefined && !(late.code === 'IDLE_TIMEOUT' && this.#isCarriedOutside())) {
      this.#stopped.abort(late)
      return
    }
    this.touch()
    if (idle !== undefined) {
      this.#unlisten = this.#journal.listen(() => this.touch())
      this.#unlistenTurn = this.#turn?.listen(() => this.touch()) ?? this.#unlistenTurn
    }
    this.#arm()
  }

  /** Time does not count while this says that agents below the run are at work: they have clocks of their own. */
  pauseWhile(isBelow: () => boolean): void {
    this.#isBelow = isBelow
  }

  /** Something happened: the whole time begins again. */
  touch(): void {
    this.#lastAt = this.#clock.now()
    if (this.#isResting) this.#arm()
  }

  stop(): void {
    this.#isResting = false
    this.#cancel()
    this.#unlisten()
    this.#unlistenTurn()
  }

  #isCarriedOutside(): boolean {
    return this.#state().stepCalls.some((id) => this.#journal.state.calls.get(id)?.status === 'handed_out')
  }

  #state(): RunState {
    return this.#journal.state.runs.get(this.#run) as RunState
  }

  /** One timer, for the earlier of both ends, set again as long as neither has come; none for time that does not count. */
  #arm(): void {
    this.#cancel()
    const run = this.#state()
    const { endsAt = Number.POSITIVE_INFINITY, idle } = run
    this.#isResting = idle !== undefined && this.#isPaused(run)
    const idleAt =
      idle === undefined || this.#isResting ? Number.POSITIVE_INFINITY : this.#lastAt + idle.timeoutMs
    const next = Math.min(endsAt, idleAt)
    if (next === Number.POSITIVE_INFINITY) return
    const waitMs = Math.min(timerMsMax, Math.max(0, next - this.#clock.now()))
    this.#cancel = this.#clock.timer(waitMs, () => this.#ring())
  }

  #ring(): void {
    const run = this.#state()
    const now = this.#clock.now()
    if (run.ended !== undefined) return
    if (run.endsAt !== undefined && run.endsAt <= now) this.#stopped.abort(tookTooLong(run))
    else if (run.idle !== undefined && this.#lastAt + run.idle.timeoutMs <= now && !this.#isPaused(run))
      this.#stopped.abort(wasIdle(run))
    else this.#arm()
  }

  #isPaused(run: RunState): boolean {
    const calls = run.stepCalls.map((id) => this.#journal.state.calls.get(id))
    return this.#isBelow() || this.#turn?.isAwaited === true || !countsIdle(run, calls)
  }
}

/** A timer of the platform counts no further than this. */
const timerMsMax = 2 ** 31 - 1
