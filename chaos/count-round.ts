import type { Event, EventOf } from '../src/index.ts'
import { hasTrees } from './last-orders.ts'
import type { PlayedRound } from './play-round.ts'
import type { ReadRound, ReadSession } from './read-round.ts'
import type { CountName, Tally } from './tally.ts'
import { afterKillInTree } from './tree-tool-kinds.ts'

/** Counts what happened in a round, from its logs and its evidence. */
export function countRound(tally: Tally, { orphans, plan }: PlayedRound, read: ReadRound): void {
  const { sessions, effects, answers, told } = read
  tally.rounds += 1
  if (hasTrees(plan)) {
    tally.treeRounds += 1
    const below = sessions.filter(({ state }) => state.parent !== undefined)
    const lost = below.flatMap(({ state }) => [...orphans].filter((call) => state.calls.has(call)))
    tally.add('calls orphaned below the top', lost.length)
  }
  tally.add('sessions', sessions.filter(({ state }) => state.parent === undefined).length)
  tally.add('calls that were orphaned by a kill', orphans.size)
  tally.add('effects', effects.length)
  const known = new Set(sessions.flatMap(({ state }) => [...state.calls.keys()]))
  tally.add('effects of reads that no claim protects', effects.filter(({ call }) => !known.has(call)).length)
  tally.add('answers acknowledged', answers.filter(({ came }) => came === 'acknowledged').length)
  tally.add(
    'answers refused as TICKET_DECIDED',
    answers.filter(({ came }) => came === 'TICKET_DECIDED').length,
  )
  const byTicket = Map.groupBy(answers, ({ ticket }) => ticket)
  tally.add('asks answered by two at once', [...byTicket.values()].filter(({ length }) => length > 1).length)
  tally.add('events shown to a reader', told.filter((line) => line.told === 'event').length)
  for (const session of sessions) countSession(tally, session, read)
}

function countSession(tally: Tally, { log, state }: ReadSession, { answers }: ReadRound): void {
  const acknowledged = new Set(answers.filter(({ came }) => came === 'acknowledged').map(({ by }) => by))
  for (const { event } of log) {
    switch (event.type) {
      case 'call.started':
        tally.add('claims')
        if (event.attempt > 1) tally.add('claims of a second or later attempt')
        if (event.attempt > 1 && isLookedUp(event.call, state))
          tally.add('calls that were looked up and had not run')
        break
      case 'call.completed':
        tally.add('completed calls')
        if (event.tries === 0) tally.add('calls that were looked up and had run')
        break
      case 'call.failed':
        if (event.outcome.effect === 'uncertain') tally.add('uncertain calls')
        break
      case 'call.late':
        tally.add('late outcomes')
        break
      case 'call.reconciled':
        tally.add('reconciled by somebody')
        break
      case 'approval.requested':
        tally.add('asks')
        break
      case 'approval.decided':
        tally.add(event.approved ? 'approved' : 'declined')
        if (event.by.id.endsWith(event.ticket) && !acknowledged.has(event.by.id))
          tally.add('answers in the log whose giver was killed before he knew')
        break
      case 'run.ended':
        tally.add(runsEnded(event.status))
        break
      default: {
        const name = nameInTree(event)
        if (name !== undefined) tally.add(name)
      }
    }
  }
}

function runsEnded(status: EventOf<'run.ended'>['status']): CountName {
  if (status === 'completed') return 'runs completed'
  if (status === 'cancelled') return 'child runs cancelled'
  return status === 'uncertain' ? 'runs ended as uncertain' : 'flows failed'
}

/** What only trees have. */
function nameInTree(event: Event): CountName | undefined {
  switch (event.type) {
    case 'child.started':
      return 'children started'
    case 'input.requested':
      return 'questions'
    case 'input.given':
      return event.by.id === 'timer' ? 'questions answered by a default' : 'questions answered'
    case 'input.declined':
      return event.category === 'expired' ? 'questions that expired' : 'questions declined'
    case 'call.rested':
      return event.until === undefined ? 'claims given back for a child' : 'claims given back until a time'
    default:
      return undefined
  }
}

function isLookedUp(call: string, { calls }: ReadSession['state']): boolean {
  return afterKillInTree(calls.get(call)?.name ?? '').startsWith('looked up')
}
