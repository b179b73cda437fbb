import { isDeepStrictEqual } from 'node:util'
import type { Event, EventOf } from '../src/index.ts'
import type { AnswerLine } from './evidence.ts'
import type { ReadRound } from './read-round.ts'

/** No answer that was acknowledged is lost, no ask is answered twice, and who came second was told who was first. */
export function checkAnswers(read: ReadRound): string[] {
  const { sessions, answers, effects } = read
  const decided = Map.groupBy(
    sessions.flatMap(({ log }) => log.flatMap(({ event }) => decidedBy(event))),
    ({ ticket }) => ticket,
  )
  const declined = [...decided.values()].flat().filter(({ approved }) => !approved)
  const ran = declined.filter(({ call }) => effects.some((effect) => effect.call === call))
  return [
    ...answers.flatMap((line) => checkAnswer(read, decided.get(line.ticket) ?? [], line)),
    ...ran.map(({ call }) => `The call ${call} was declined and had an effect.`),
  ]
}

/** What closed an ask. */
type Decided = Pick<EventOf<'approval.decided'>, 'ticket' | 'call' | 'by' | 'approved'> & {
  readonly value?: unknown
}

function decidedBy(event: Event): Decided[] {
  if (event.type === 'approval.decided') return [event]
  if (event.type === 'input.given') return [{ ...event, approved: true }]
  return event.type === 'input.declined' ? [{ ...event, approved: false }] : []
}

/** What the tool asks for is a number, and nothing else was taken. */
function doesPass({ value }: AnswerLine): boolean {
  return value === undefined || Number.isInteger((value as { answer?: unknown }).answer)
}

function checkAnswer(read: ReadRound, decided: readonly Decided[], line: AnswerLine): string[] {
  const { ticket, by, approved, editedArgs, value, came, firstBy } = line
  const what = `The answer of ${by} to ${ticket}`
  if (decided.length !== 1) return [`${what} came out as ${came}, and the log has ${decided.length} answers.`]
  const [first] = decided as readonly [Decided]
  if (came === 'INVALID_INPUT' && !doesPass(line)) return []
  if (came === 'acknowledged') {
    const isSame = first.by.id === by && first.approved === approved && isDeepStrictEqual(first.value, value)
    if (!isSame) return [`${what} was acknowledged, and the log has ${JSON.stringify(first)}.`]
    return editedArgs === undefined || isEdited(read, ticket, editedArgs) ? [] : [`${what} lost its edit.`]
  }
  if (came !== 'TICKET_DECIDED') return [`${what} was refused with ${came}.`]
  if (first.by.id === by) return [`${what} was refused as already decided, and it is the answer in the log.`]
  return firstBy === first.by.id ? [] : [`${what} was told that ${firstBy} was first; it was ${first.by.id}.`]
}

function isEdited({ sessions }: ReadRound, ticket: string, editedArgs: unknown): boolean {
  const wanted = JSON.stringify(editedArgs)
  return sessions.some(({ log }) =>
    log.some(
      ({ event }) =>
        event.type === 'approval.edited' && event.ticket === ticket && JSON.stringify(event.args) === wanted,
    ),
  )
}
