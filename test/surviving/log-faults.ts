import type { Event, StoredEvent } from '../../src/index.ts'

interface Ask {
  readonly call: string
  approved?: boolean
}

/** What is kept while a log is read from its beginning, with nothing of the fold's own. */
class Reader {
  readonly faults: string[] = []
  private readonly runs = new Map<string, 'open' | 'ended'>()
  private readonly runOf = new Map<string, string>()
  private readonly claims = new Map<string, number>()
  private readonly ended = new Set<string>()
  private readonly asks = new Map<string, Ask>()
  private readonly newestAsk = new Map<string, Ask>()

  private check(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault)
  }

  read(event: Event, place: number): void {
    this.check((event.type === 'session.started') === (place === 1), `${place}: a session begins once, at 1`)
    switch (event.type) {
      case 'run.started':
        this.check(![...this.runs.values()].includes('open'), `${event.run}: two runs are open`)
        this.check(!this.runs.has(event.run), `${event.run}: started twice`)
        this.runs.set(event.run, 'open')
        break
      case 'run.ended':
        this.runEnded(event.run)
        break
      case 'call.proposed':
        this.check(this.runs.get(event.run) === 'open', `${event.call}: its run is not open`)
        this.check(!this.runOf.has(event.call), `${event.call}: proposed twice`)
        this.runOf.set(event.call, event.run)
        break
      case 'approval.requested':
        this.asked(event.ticket, event.call)
        break
      case 'approval.decided':
        this.decided(event.ticket, event.call, event.approved)
        break
      case 'call.started':
        this.claimed(event.call, event.attempt)
        break
      case 'call.completed':
      case 'call.failed':
        this.check((this.claims.get(event.call) ?? 0) > 0, `${event.call}: settled without a claim`)
        this.end(event.call)
        break
      case 'call.refused':
      case 'call.cancelled':
        this.check(!this.claims.has(event.call), `${event.call}: refused after a claim`)
        this.end(event.call)
        break
    }
  }

  private end(call: string): void {
    this.check(!this.ended.has(call), `${call}: ended twice`)
    this.check(this.runs.get(this.runOf.get(call) ?? '') === 'open', `${call}: ended outside of its run`)
    const open = [...this.asks.values()].some((ask) => ask.call === call && ask.approved === undefined)
    this.check(!open, `${call}: ended with an open ask`)
    this.ended.add(call)
  }

  private runEnded(run: string): void {
    this.check(this.runs.get(run) === 'open', `${run}: ended without being open`)
    for (const [call, of] of this.runOf) {
      if (of === run) this.check(this.ended.has(call), `${run}: ended while ${call} was open`)
    }
    this.runs.set(run, 'ended')
  }

  private asked(ticket: string, call: string): void {
    this.check(!this.asks.has(ticket), `${ticket}: asked twice`)
    const ask = { call }
    this.asks.set(ticket, ask)
    this.newestAsk.set(call, ask)
  }

  private decided(ticket: string, call: string, approved: boolean): void {
    const ask = this.asks.get(ticket)
    this.check(ask !== undefined && ask.call === call, `${ticket}: decided for another call`)
    this.check(ask?.approved === undefined, `${ticket}: decided twice`)
    if (ask !== undefined) ask.approved = approved === true
  }

  private claimed(call: string, attempt: number): void {
    this.check(attempt === (this.claims.get(call) ?? 0) + 1, `${call}: claim ${attempt} out of order`)
    this.check(!this.ended.has(call), `${call}: claimed after its end`)
    const ask = this.newestAsk.get(call)
    this.check(ask === undefined || ask.approved === true, `${call}: claimed while its ask was not approved`)
    this.claims.set(call, attempt)
  }
}

/**
 * What is wrong with a log, read without the fold: each call has one end at most, each claim its own number, no
 * claim stands where an ask was not approved, no run ends with open calls, and no sequence is left out.
 */
export function logFaults(events: readonly Pick<StoredEvent, 'sequence' | 'event'>[]): string[] {
  const reader = new Reader()
  for (const [index, { sequence, event }] of events.entries()) {
    if (sequence !== index + 1) reader.faults.push(`${sequence} stands where ${index + 1} should`)
    reader.read(event, index + 1)
  }
  return reader.faults
}
