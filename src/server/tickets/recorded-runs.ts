import { readOrigin as readKeptOrigin } from '../../agent/origin.ts'
import { isToolpostError } from '../../core/error.ts'
import type { CallState, SessionState, TicketState } from '../../core/run/state.ts'
import type { IndexRow } from '../../core/store.ts'
import { Journal } from '../../runtime/journal.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { type RunOrigin, readOrigin } from '../runs/origin.ts'
import { hostAgentName } from '../runs/run-agent.ts'
import type { WireRun } from '../runs/wire-run.ts'

/** A run of a host as its log has it. No tool and no model of it need be known any more. */
export interface RecordedRun {
  readonly run: WireRun
  readonly subject: string
  readonly origin: RunOrigin
  readonly state: SessionState
  readonly journal: Journal
}

/** A ticket, the call that it is about, and the run of both. */
export interface RecordedTicket {
  readonly recorded: RecordedRun
  readonly ticket: TicketState
  readonly call: CallState
}

/** Reads what runs have recorded, each session once: made anew for every question, so that it is the newest. */
export class RecordedRuns {
  readonly #parts: RuntimeParts
  readonly #journals = new Map<string, Promise<Journal>>()

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  /** A run by its id; undefined when no host started it. */
  async byId(runId: string): Promise<RecordedRun | undefined> {
    if (typeof runId !== 'string') return undefined
    const [row] = await this.#parts.store.list({ kind: 'run', id: runId, limit: 1 })
    return row && (await this.ofRow(row))
  }

  /** A ticket by its id; undefined when it is of no host's run. */
  async ticket(id: string): Promise<RecordedTicket | undefined> {
    // A search for no id finds any ticket.
    if (typeof id !== 'string') return undefined
    const [row] = await this.#parts.store.list({ kind: 'ticket', id, limit: 1 })
    return row && (await this.ticketOf(row))
  }

  /**
   * The run that a row of a run, a ticket or a call is about; undefined also for what cannot be read, or was removed since
   * its row was: it keeps up no other.
   */
  async ofRow(row: IndexRow): Promise<RecordedRun | undefined> {
    try {
      return row.data.agent === hostAgentName ? await this.#read(row) : undefined
    } catch (error) {
      if (isToolpostError(error) && unreadable.includes(error.code)) return undefined
      throw error
    }
  }

  async ticketOf(row: IndexRow): Promise<RecordedTicket | undefined> {
    const recorded = await this.ofRow(row)
    const ticket = recorded?.state.tickets.get(row.id)
    const call = ticket && recorded?.state.calls.get(ticket.call)
    if (recorded === undefined || ticket === undefined || call === undefined) return undefined
    return { recorded, ticket, call }
  }

  async #read({ kind, id, data }: IndexRow): Promise<RecordedRun | undefined> {
    const runId = kind === 'run' ? id : String(data.run)
    const sessionId = String(data.session)
    const journal = await this.#journal(sessionId)
    const { state, stream } = journal
    const kept = await readKeptOrigin(this.#parts.store, stream, state.runs.get(runId)?.origin)
    const origin = readOrigin(kept)
    if (origin === undefined) return undefined
    const run: WireRun = { runId, sessionId, request: origin.request }
    return { run, subject: state.subject, origin, state, journal }
  }

  #journal(session: string): Promise<Journal> {
    const { store, clock } = this.#parts
    const opened = this.#journals.get(session) ?? Journal.open(store, session, clock)
    this.#journals.set(session, opened)
    return opened
  }
}

const unreadable: readonly string[] = ['SESSION_NOT_FOUND', 'STORE_CORRUPT', 'ILLEGAL_EVENT']
