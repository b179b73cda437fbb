import { ToolpostError } from '../core/error.ts'
import type { Event, EventOf } from '../core/event.ts'
import { named } from '../core/json/named.ts'
import type { CallState, SessionState } from '../core/run/state.ts'
import type { StoredEvent } from '../core/store.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import type { RuntimeParts } from '../runtime/parts.ts'

/** Where a session is forked, and what the new one is called. */
export interface ForkOptions {
  /** The last event that both share; default the newest. */
  readonly at?: number
  /** Default: a new id. */
  readonly id?: string
}

/**
 * Begins a session with what another one's log says up to one of its events. Runs, calls and asks get ids of their own,
 * so that both sessions can go on without meeting. Gives the new log.
 * Errors: SESSION_NOT_FOUND, SESSION_EXISTS, INVALID_ARGUMENT for a place that is none or at which a call has begun and
 * not ended, and for a child's session.
 */
export async function forkSession(parts: RuntimeParts, from: string, options: ForkOptions): Promise<Journal> {
  const { store, clock, ids } = parts
  const log = await store.read(sessionStream(from))
  if (log.length === 0)
    throw new ToolpostError('SESSION_NOT_FOUND', `The store holds no session ${named(from)}.`)
  const at = options.at ?? log.length
  refuseUnfit(await Journal.stateAt(parts, from, at))
  const id = options.id ?? ids.next('session')
  const journal = new Journal(store, id, clock)
  await journal.refresh()
  refuseExisting(journal.state)
  const shared = log.slice(0, at)
  await copyBlobs(parts, sessionStream(from), journal.stream, shared)
  const events = renamed(shared, id, parts)
  await journal.write((state) => {
    refuseExisting(state)
    return events
  })
  return journal
}

function refuseExisting({ id, sequence }: SessionState): void {
  if (sequence > 0)
    throw new ToolpostError('SESSION_EXISTS', `The session "${id}" exists already; open it instead.`)
}

/** A call that has begun has its effect once, in the session that it belongs to; a child's session is bound by its parent. */
function refuseUnfit(state: SessionState): void {
  if (state.parent !== undefined) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The session "${state.id}" belongs to a call of "${state.parent.session}"; fork that one.`,
    )
  }
  const entered = [...state.calls.values()].find(hasBegun)
  const at = `event ${state.sequence} of the session "${state.id}"`
  if (entered !== undefined) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `At ${at} the call ${entered.id} ${standOf(entered)}; fork before it starts, or after it has ended.`,
    )
  }
  const last = state.history.at(-1)
  if (last?.role !== 'assistant') return
  const said = last.parts.filter(({ kind }) => kind === 'call').length
  if (last.calls.length < said)
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `At ${at} the calls of an answer are half written; fork before the answer, or after its calls.`,
    )
}

function hasBegun({ status }: CallState): boolean {
  return status === 'started' || status === 'resting' || status === 'handed_out'
}

/** How such a call stands. One that rests is entered again from its start: with two sessions, in both. */
function standOf({ status, rest }: CallState): string {
  if (status === 'handed_out') return 'is carried outside'
  if (status !== 'resting') return 'runs'
  if (rest?.until === undefined) return 'has begun, and rests on the agents that it started'
  return `has begun, and rests until ${new Date(rest.until).toISOString()}`
}

const digestForm = /^sha256:[0-9a-f]{64}$/

/** Large results and files belong to a session: the new one gets them too. */
async function copyBlobs({ store }: RuntimeParts, from: string, to: string, log: readonly StoredEvent[]) {
  const digests = new Set<string>()
  for (const { event } of log) collectDigests(event, digests)
  for (const digest of digests) {
    const bytes = await store.getBlob(from, digest)
    if (bytes !== undefined) await store.putBlob(to, bytes)
  }
}

function collectDigests(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' && digestForm.test(value)) into.add(value)
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collectDigests(member, into)
}

/** The same events under ids of their own. */
function renamed(log: readonly StoredEvent[], session: string, { ids }: RuntimeParts): readonly Event[] {
  const names = new Map<string, string>()
  const nameOf = (old: string, kind: 'run' | 'call' | 'ask' | 'execution') => {
    const known = names.get(`${kind} ${old}`) ?? ids.next(kind)
    names.set(`${kind} ${old}`, known)
    return known
  }
  return log.map(({ event }) => {
    if (event.type === 'session.started') return begun(event, session, log.length)
    const { run, call, ticket, shares } = event as Partial<
      Record<'run' | 'call' | 'ticket' | 'shares', string>
    >
    return {
      ...event,
      ...(run === undefined ? {} : { run: nameOf(run, 'run') }),
      ...(call === undefined ? {} : { call: nameOf(call, 'call') }),
      ...(ticket === undefined ? {} : { ticket: nameOf(ticket, kindOfTicket(event)) }),
      ...(shares === undefined ? {} : { shares: nameOf(shares, 'call') }),
    } as Event
  })
}

function kindOfTicket({ type }: Event): 'ask' | 'execution' {
  return type === 'execution.requested' ? 'execution' : 'ask'
}

function begun(event: EventOf<'session.started'>, session: string, sequence: number): Event {
  return { ...event, session, forkedFrom: { session: event.session, sequence } }
}
