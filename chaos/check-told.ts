import type { Event } from '../src/index.ts'
import type { ToldLine } from './evidence.ts'
import type { ReadRound, ReadSession } from './read-round.ts'

/** Whatever somebody was told stands in the log, however soon after it the process was killed. */
export function checkTold({ sessions, told }: ReadRound): string[] {
  return told.flatMap((line) => {
    const session = sessions.find(({ id }) => id === line.session)
    const fault = session === undefined ? `There is no session ${line.session}.` : faultOf(session, line)
    return fault === undefined ? [] : [fault]
  })
}

function faultOf(session: ReadSession, line: ToldLine): string | undefined {
  const events = session.log.map(({ event }) => event)
  switch (line.told) {
    case 'event':
      if (events[line.sequence - 1]?.type === line.type) return undefined
      return `Event ${line.sequence}, ${line.type}, was shown and is not in the log of ${line.session}.`
    case 'ask':
      if (session.state.tickets.has(line.ticket)) return undefined
      return `The ask ${line.ticket} was shown and is lost.`
    case 'end':
      if (events.some((event) => isEnd(event, line.run, line.status))) return undefined
      return `The end of ${line.run}, ${line.status}, was told and is not in the log.`
    case 'found':
      if (session.state.calls.get(line.call)?.reconciled === line.found) return undefined
      return `What was found out about ${line.call} is not in the log.`
    case 'given up':
      return givenUpFault(events, line.call, line.epoch)
  }
}

function isEnd(event: Event, run: string, status: string): boolean {
  return event.type === 'run.ended' && event.run === run && event.status === status
}

/** A call is given up by a drive that came after the one that claimed it, never by one that was taken over from. */
function givenUpFault(events: readonly Event[], call: string, epoch: number): string | undefined {
  const epochs = events.flatMap((event) =>
    event.type === 'call.started' && event.call === call ? [event.epoch] : [],
  )
  const claimed = epochs.at(-1) ?? 0
  if (claimed < epoch) return undefined
  return `The call ${call}, claimed in epoch ${claimed}, was given up by the drive of epoch ${epoch}.`
}
