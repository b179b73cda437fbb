import { isToolpostError } from '../../core/error.ts'
import { nextMove } from '../../core/move/next.ts'
import { overdue } from '../../core/run/clocks.ts'
import type { CallState, RunState, SessionState, TicketState } from '../../core/run/state.ts'
import { nextExpiry } from '../../runtime/expire.ts'
import { Journal } from '../../runtime/journal.ts'
import { isOwned } from '../../runtime/ownership.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'

/** How the open runs below a run stand. */
export interface TreeState {
  /** Whether one of the children that are waited for has ended, or can go on. */
  readonly isReady: boolean
  /** The open asks of all of them. */
  readonly tickets: readonly string[]
  /** What these are, in no order. */
  readonly kinds: readonly TicketState['kind'][]
  /** Milliseconds since 1970: the first time at which one of them goes on by itself. */
  readonly until?: number
  /** Whether somebody drives one of them at this moment. */
  readonly isDriven: boolean
  /** Whether one that somebody drives does more than wait. */
  readonly isAtWork: boolean
}

const still = { isReady: false, tickets: [], kinds: [], isDriven: false, isAtWork: false } as const

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
    return joined([...below, { ...still, isReady: until <= this.#parts.clock.now(), until }])
  }

  /** How the children stand that the calls of a run have started and that have not ended. */
  async ofRun(state: SessionState, run: string): Promise<TreeState> {
    const sessions = [...state.calls.values()].flatMap((call) => (call.run === run ? openChildren(call) : []))
    return joined(await Promise.all(sessions.map((session) => this.#ofSession(session))))
  }

  async #ofSession(session: string): Promise<TreeState> {
    const journal = await this.#read(session)
    const run = journal && openRunOf(journal.state)
    if (journal === undefined || run === undefined) return { ...still, isReady: true }
    const lease = await this.#parts.store.readLease(journal.stream)
    const move = nextMove(journal.state, run, lease?.epoch ?? 0)
    const below = await this.ofRun(journal.state, run.id)
    const tickets = [...run.openTickets, ...below.tickets]
    const kinds = [...kindsOf(journal.state, run), ...below.kinds]
    const isDriven = await isOwned(this.#parts, journal.stream)
    const until = below.until === undefined ? {} : { until: below.until }
    const rest = { ...still, tickets, kinds, isDriven, ...until }
    // Who drives it brings it on; what it writes is looked at then.
    if (isDriven) return { ...rest, isAtWork: move.move !== 'rest' }
    if (move.move !== 'rest' || isDue(journal.state, run, this.#parts.clock.now()))
      return { ...rest, isReady: true }
    const resting = joined(await Promise.all(move.resting.map((call) => this.ofCall(call))))
    return { ...joined([resting, rest]), tickets, kinds }
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

/** Whether whoever takes a run up that rests does not find it waiting: it is to stop, or a time of it is over. */
function isDue(state: SessionState, { stopRequested, stepCalls }: RunState, now: number): boolean {
  if (stopRequested !== undefined || (nextExpiry(state) ?? now + 1) <= now) return true
  const late = overdue(state, now)
  // Who carries a call outside may have given signs of life that nobody keeps.
  if (late?.code !== 'IDLE_TIMEOUT') return late !== undefined
  return !stepCalls.some((id) => state.calls.get(id)?.status === 'handed_out')
}

function kindsOf({ tickets }: SessionState, { openTickets }: RunState): TicketState['kind'][] {
  return openTickets.flatMap((id) => tickets.get(id)?.kind ?? [])
}

function joined(states: readonly TreeState[]): TreeState {
  const times = states.flatMap(({ until }) => (until === undefined ? [] : [until]))
  return {
    isReady: states.some(({ isReady }) => isReady),
    isDriven: states.some(({ isDriven }) => isDriven),
    isAtWork: states.some(({ isAtWork }) => isAtWork),
    tickets: states.flatMap(({ tickets }) => tickets),
    kinds: states.flatMap(({ kinds }) => kinds),
    ...(times.length === 0 ? {} : { until: Math.min(...times) }),
  }
}
