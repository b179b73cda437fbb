import type { EventOf } from '../../core/event.ts'
import { actorText } from './actor-text.ts'
import { clipped } from './clipped.ts'
import { duration } from './duration.ts'
import { inertLine, visibleJson } from './inert-text.ts'
import { timeText } from './input-card.ts'
import type { StoryLine } from './story-line.ts'

type InputEvent = EventOf<'input.requested'> | EventOf<'input.given'> | EventOf<'input.declined'>

const valueMax = 110
const reasonMax = 600

/** What is said of a question that a tool asks a person. */
export function inputLine(event: InputEvent, tool: string, asker: string | undefined): StoryLine {
  switch (event.type) {
    case 'input.requested':
      return { mark: '?', style: 'yellow', text: `${tool} asks for an answer${until(event)} ${event.ticket}` }
    case 'input.given':
      return { mark: '✓', style: 'green', text: given(event, tool, asker) }
    case 'input.declined':
      return { mark: '✗', style: 'red', text: declined(event, tool, asker) }
  }
}

function until({ expiresAt, ...event }: EventOf<'input.requested'>): string {
  if (expiresAt === undefined) return ''
  const then =
    event.default === undefined
      ? 'then it is declined'
      : `then the answer is ${clipped(visibleJson(event.default), valueMax)}`
  return ` until ${timeText(expiresAt)}, ${then}:`
}

function given(
  { by, value, waitedMs }: EventOf<'input.given'>,
  tool: string,
  asker: string | undefined,
): string {
  const shown = clipped(visibleJson(value), valueMax)
  if (by.method === 'expiry')
    return `${tool} has its default answer, since nobody gave one for ${duration(waitedMs)}: ${shown}`
  return `${tool} was answered by ${actorText(by, asker)} after ${duration(waitedMs)}: ${shown}`
}

function declined(
  { by, reason, category, waitedMs }: EventOf<'input.declined'>,
  tool: string,
  asker: string | undefined,
): string {
  const because =
    reason === undefined ? '' : `: ${inertLine(clipped(reason.replaceAll('\n', ' '), reasonMax))}`
  if (category === 'expired') return `${tool} was not answered by anybody for ${duration(waitedMs)}${because}`
  if (category === 'cancelled')
    return `${tool} needs no answer any more, because the run was stopped${because}`
  return `${tool} declined by ${actorText(by, asker)} after ${duration(waitedMs)}${because}`
}
