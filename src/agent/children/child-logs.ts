import { isToolpostError } from '../../core/error.ts'
import { nextMove } from '../../core/move/next.ts'
import type { CallState, RunState, SessionState } from '../../core/run/state.ts'
import { Journal } from '../../runtime/journal.ts'
import { isOwned } from '../../runtime/ownership.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'

/** How the open runs below a run stand. */
export interface TreeState {
  /** Whether one of the children that are waited for has ended, or can go on. */
  readonly isReady: boolean
  /** The open asks of all of them. */
  readonly tickets: readonly string[]
  /** Milliseconds since 1970: the first time at which one of them goes on by itself. */
  readonly until?: number
  /** Whether somebody drives one of them at this moment. */
  readonly isDriven: boolean
}

/** The logs of child runs that rest: each is read once, and then only on. */
export class ChildLogs {
  readonly #parts: RuntimeParts
  readonly #journals = new Map<string, Journal>()

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  /** How the children stand that a call rests on, and those below them. */
  async ofCall(call: CallState): Promise<TreeState> {
    const { on = [], until } = call.rest ?? { on: [] }
    const below = await Promise.all(on.map((session) => this.#ofSession(session)))
    if (until === undefined) return joined(below)
    return joined([
      ...below,
      { isReady: until <= this.#parts.clock.now(), tickets: [], until, isDriven: false },
    ])
  }

  /** How the children stand that the calls of a run have started and that have not ended. */
  async ofRun(state: SessionState, run: string): Promise<TreeState> {
    const sessions = [...state.calls.values()].flatMap((call) => (call.run === run ? openChildren(call) : []))
    return joined(await Promise.all(sessions.map((session) => this.#ofSession(session))))
  }

  async #ofSession(session: string): Promise<TreeState> {
    const journal = await this.#read(session)
    const run = journal && openRunOf(journal.state)
    if (journal === undefined || run === undefined) return { isReady: true, tickets: [], isDriven: false }
    const lease = await this.#parts.store.readLease(journal.stream)
    const move = nextMove(journal.state, run, lease?.epoch ?? 0)
    const below = await this.ofRun(journal.state, run.id)
    const tickets = [...run.openTickets, ...below.tickets]
    const isDriven = await isOwned(this.#parts, journal.stream)
    const rest = { tickets, isDriven, ...(below.until === undefined ? {} : { until: below.until }) }
    // Who drives it brings it on; what it writes is looked at then.
    if (isDriven) return { isReady: false, ...rest }
    if (move.move !== 'rest') return { isReady: true, ...rest }
    const resting = joined(await Promise.all(move.resting.map((call) => this.ofCall(call))))
    return { ...joined([resting, { isReady: false, ...rest }]), tickets }
  }

  async #read(session: string): Promise<Journal | undefined> {
    const known = this.#journals.get(session)
    if (known !== undefined) {
      await known.refresh()
      return known
    }
    try {
      const journal = await Journal.open(this.#parts.store, session, this.#parts.clock)
      this.#journals.set(session, journal)
      return journal
    } catch (error) {
      if (isToolpostError(error) && error.code === 'SESSION_NOT_FOUND') return undefined
      throw error
    }
  }
}

/** Those of a call that has ended have ended with it, but for those that it started beside itself. */
export function openChildren({ children = [], end }: CallState): string[] {
  return children
    .filter(({ kind }) => kind === 'spawn' || (kind === 'run' && end === undefined))
    .map(({ session }) => session)
}

function openRunOf(state: SessionState): RunState | undefined {
  return state.openRun === undefined ? undefined : state.runs.get(state.openRun)
}

function joined(states: readonly TreeState[]): TreeState {
  const times = states.flatMap(({ until }) => (until === undefined ? [] : [until]))
  return {
    isReady: states.some(({ isReady }) => isReady),
    isDriven: states.some(({ isDriven }) => isDriven),
    tickets: states.flatMap(({ tickets }) => tickets),
    ...(times.length === 0 ? {} : { until: Math.min(...times) }),
  }
}
