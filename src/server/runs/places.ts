import type { EventOf } from '../../core/event.ts'
import { noteFact } from '../audit.ts'
import type { HostOptions } from '../host-options.ts'
import { Capacity } from './capacity.ts'
import type { LiveRun } from './live-run.ts'
import type { RunNews } from './run-reader.ts'
import { isBeforePeople } from './shown-asks.ts'
import type { Slot } from './slots.ts'

const pendingMax = 1_000

/** The places of what waits in a host, kept by what its runs do. */
export class Places {
  /** Of executions, by their calls. */
  readonly executions: Capacity
  /** Of asks that are before people. */
  readonly approvals: Capacity
  readonly #options: HostOptions

  constructor(options: HostOptions) {
    const { maxPending = pendingMax, maxPendingPerSubject } = options.applicationTools ?? {}
    this.executions = new Capacity(maxPending, maxPendingPerSubject)
    this.approvals = new Capacity(options.approvals?.maxPending ?? pendingMax)
    this.#options = options
  }

  /** What waits already has its place, and so has what a person is still asked about. */
  hold(live: LiveRun, subject: string): void {
    const { state } = live.session
    const { runId, request } = live.run
    const declared = new Set((request.applicationTools ?? []).map(({ name }) => name))
    for (const ticket of state.runs.get(runId)?.openTickets ?? []) {
      const { kind, call: id = '' } = state.tickets.get(ticket) ?? {}
      const call = state.calls.get(id)
      if (call !== undefined && declared.has(call.name)) this.executions.take(call.id, subject)
      if (kind === 'approval' && request.approvals !== undefined) this.#holdReview(live, ticket, subject)
    }
  }

  /** Who waits holds no slot; what has ended holds no place. */
  follow(live: LiveRun, news: RunNews, slot: Slot): void {
    if (news.kind === 'ask') slot.rest()
    if (news.kind !== 'event') return
    const { event } = news.stored
    if (event.type === 'execution.requested') {
      slot.rest()
      this.#noteExecution(live, event, news.stored.at)
    }
    if (event.type === 'run.ended') slot.leave()
    if (event.type === 'approval.decided') this.approvals.giveBack(event.ticket)
    if (endsCall(event.type) && 'call' in event) this.executions.giveBack(event.call)
  }

  /** Nobody comes before an ask that is open. Where the host itself has a word first, it is brought when that was recorded. */
  #holdReview(live: LiveRun, ticket: string, subject: string): void {
    const isHeld = this.approvals.take(ticket, subject)
    const isBefore = isBeforePeople(this.#options, { live: undefined, state: live.session.state }, ticket)
    if (isHeld && isBefore) live.show(ticket)
  }

  #noteExecution({ run, session }: LiveRun, event: EventOf<'execution.requested'>, at: number): void {
    const { ticket, digest } = event
    const { subject, calls } = session.state
    const call = calls.get(event.call)
    noteFact(this.#options.onAudit, {
      ...{ kind: 'execution.requested', at, subject, runId: run.runId, ticket, digest },
      ...(call === undefined ? {} : { callId: call.modelCallId, tool: call.name }),
    })
  }
}

function endsCall(type: string): boolean {
  return ['call.completed', 'call.failed', 'call.refused', 'call.cancelled'].includes(type)
}
