import type { Session } from '../agent/session.ts'
import type { CallState, TicketState } from '../core/run/state.ts'

/** An ask that a run waits for. */
export interface OpenAsk {
  readonly ticket: string
  readonly kind: Exclude<TicketState['kind'], 'execution'>
  readonly call: CallState
}

/** The asks of a session's own log; those of agents that its calls run stand in other logs. */
export function openAsks(session: Session, tickets: readonly string[]): readonly OpenAsk[] {
  const { state } = session
  return tickets.flatMap((ticket): OpenAsk[] => {
    const { kind, call: id = '' } = state.tickets.get(ticket) ?? {}
    const call = state.calls.get(id)
    if (kind === undefined || kind === 'execution' || call === undefined) return []
    return [{ ticket, kind, call }]
  })
}

/** What a run waits for, in words, and the steps by which a script answers it. */
export interface Waiting {
  readonly asks: string
  /** Empty when no step of a script can. */
  readonly answers: string
}

/** What a run waits for. */
export function waitingFor(session: Session, tickets: readonly string[]): Waiting {
  const own = openAsks(session, tickets)
  const below = tickets.filter((ticket) => own.every((each) => each.ticket !== ticket))
  const asks = [
    ...own.map(({ ticket, kind, call }) => `${ticket}, ${noun[kind]} "${call.name}"`),
    ...below.map((ticket) => `${ticket} of an agent that it called, which only a handler answers`),
  ]
  const answers = new Set(
    own.map(({ kind, call }) =>
      kind === 'approval'
        ? `decide({ ${key(call.name)}: { approved: true } })`
        : `input({ ${key(call.name)}: ... })`,
    ),
  )
  return {
    asks: asks.join('; ') || 'no ask, but for a call to come to its end',
    answers: [...answers].join(', '),
  }
}

const noun = { approval: 'an approval of', input: 'an input for' } as const

/** A name as a key of an object that is written down. */
function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
