import type { RememberedApproval } from '../policy/remembered.ts'
import type { CallState, HistoryEntry, RunState, SessionState, TicketState } from './state.ts'

/** What a session says of itself, outside its lists. */
export type Head = Pick<
  SessionState,
  | 'id'
  | 'subject'
  | 'agent'
  | 'mode'
  | 'startedAt'
  | 'openRun'
  | 'fingerprint'
  | 'offered'
  | 'values'
  | 'parent'
>

interface OwnedState extends SessionState {
  sequence: number
  history: HistoryEntry[]
  runs: Map<string, RunState>
  calls: Map<string, CallState>
  tickets: Map<string, TicketState>
  remembered: readonly RememberedApproval[]
  uncertain: Map<string, string>
  modelCallIds: Map<string, string>
  spilled: Map<string, string>
}

function emptyState(): OwnedState {
  return {
    id: '',
    subject: '',
    agent: '',
    startedAt: 0,
    sequence: 0,
    history: [],
    runs: new Map(),
    calls: new Map(),
    tickets: new Map(),
    remembered: [],
    uncertain: new Map(),
    modelCallIds: new Map(),
    spilled: new Map(),
    values: Object.freeze({}),
  }
}

const untouched: readonly string[] = []

/** A change laid over a map: what is set here is seen here, and reaches the map only when it is committed. */
class MapDraft<Value> {
  readonly #base: Map<string, Value>
  /** Made at the first change: most batches touch one map or two. */
  #changed: Map<string, Value | undefined> | undefined

  constructor(base: Map<string, Value>) {
    this.#base = base
  }

  get(key: string): Value | undefined {
    return this.#changed?.has(key) ? this.#changed.get(key) : this.#base.get(key)
  }

  set(key: string, value: Value): void {
    this.#change(key, value)
  }

  delete(key: string): void {
    this.#change(key, undefined)
  }

  get touched(): Iterable<string> {
    return this.#changed?.keys() ?? untouched
  }

  commit(): void {
    if (this.#changed === undefined) return
    for (const [key, value] of this.#changed) {
      if (value === undefined) this.#base.delete(key)
      else this.#base.set(key, value)
    }
  }

  #change(key: string, value: Value | undefined): void {
    this.#changed ??= new Map()
    this.#changed.set(key, value)
  }
}

/**
 * A batch of events folded over a session's state, without touching the state: legality is checked
 * here, before the store is asked, and the cost is that of the batch, not of the log.
 */
export class Draft {
  readonly #base: OwnedState
  readonly runs: MapDraft<RunState>
  readonly calls: MapDraft<CallState>
  readonly tickets: MapDraft<TicketState>
  readonly uncertain: MapDraft<string>
  readonly modelCallIds: MapDraft<string>
  readonly spilled: MapDraft<string>
  readonly added: HistoryEntry[] = []
  #replacedLast: HistoryEntry | undefined
  head: Head
  remembered: readonly RememberedApproval[]
  sequence: number

  constructor(base: SessionState) {
    this.#base = base as OwnedState
    this.runs = new MapDraft(this.#base.runs)
    this.calls = new MapDraft(this.#base.calls)
    this.tickets = new MapDraft(this.#base.tickets)
    this.uncertain = new MapDraft(this.#base.uncertain)
    this.modelCallIds = new MapDraft(this.#base.modelCallIds)
    this.spilled = new MapDraft(this.#base.spilled)
    this.head = base
    this.remembered = base.remembered
    this.sequence = base.sequence
  }

  /** The entry that was written last, in this batch or before it. */
  lastEntry(): HistoryEntry | undefined {
    return this.added.at(-1) ?? this.#replacedLast ?? this.#base.history.at(-1)
  }

  /** Names the calls of the assistant's message that was written last. */
  replaceCalls(calls: readonly string[]): void {
    const last = this.lastEntry()
    if (last?.role !== 'assistant') return
    const entry = { ...last, calls }
    if (this.added.length > 0) this.added[this.added.length - 1] = entry
    else this.#replacedLast = entry
  }

  /** Lays the batch into the state that it was drafted over. */
  commit(): void {
    if (this.head !== this.#base) this.#commitHead()
    this.#base.sequence = this.sequence
    this.#base.remembered = this.remembered
    this.runs.commit()
    this.calls.commit()
    this.tickets.commit()
    this.uncertain.commit()
    this.modelCallIds.commit()
    this.spilled.commit()
    const { history } = this.#base
    if (this.#replacedLast !== undefined) history[history.length - 1] = this.#replacedLast
    for (const entry of this.added) history.push(entry)
  }

  #commitHead(): void {
    const { id, subject, agent, mode, startedAt, openRun, offered, values, parent, fingerprint } = this.head
    const head = { id, subject, agent, mode, startedAt, openRun, offered, values, fingerprint }
    Object.assign(this.#base, head, parent === undefined ? undefined : { parent })
  }
}

/** The state of a session that has no events yet. */
export function newSessionState(): SessionState {
  return emptyState()
}
