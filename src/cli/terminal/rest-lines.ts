import type { EventOf } from '../../core/event.ts'
import { clipped } from './clipped.ts'
import { inertLine, revealedText, visibleJson } from './inert-text.ts'
import { timeText } from './input-card.ts'
import type { StoryLine } from './story-line.ts'

type RestEvent = EventOf<'call.rested'> | EventOf<'child.started'> | EventOf<'state.changed'>

const changesMax = 8
const valueMax = 60

/** What is said of a call that rests, of an agent that it starts, and of what it keeps. */
export function restLine(event: RestEvent, toolOf: (call: string) => string): StoryLine {
  switch (event.type) {
    case 'call.rested':
      return { mark: '‖', style: 'dim', text: `${toolOf(event.call)} rests ${restsFor(event)}` }
    case 'child.started':
      return { mark: '↳', style: 'cyan', text: started(event, toolOf(event.call)) }
    case 'state.changed':
      return { mark: '·', style: 'dim', text: changed(event) }
  }
}

function restsFor({ on = [], until }: EventOf<'call.rested'>): string {
  const runs =
    on.length === 0 ? [] : [`until ${on.map(inertLine).join(', ')} ${on.length === 1 ? 'has' : 'have'} ended`]
  const time = until === undefined ? [] : [`until ${timeText(until)}`]
  return [...runs, ...time].join(', or ') || 'until it is resumed'
}

const kinds = {
  run: 'and waits for it',
  spawn: 'beside it',
  dispatch: 'which goes on by itself',
} as const

function started({ agent, session, kind }: EventOf<'child.started'>, tool: string): string {
  return `${tool} starts the agent ${inertLine(clipped(agent, 128))}, ${kinds[kind]}: ${inertLine(session)}`
}

function changed({ scope, changes }: EventOf<'state.changed'>): string {
  const told = changes.slice(0, changesMax).map(({ key, value }) => {
    const name = revealedText(clipped(key, valueMax)).replaceAll('\n', '\\n')
    return value === undefined ? `${name} is deleted` : `${name} = ${clipped(visibleJson(value), valueMax)}`
  })
  const more = changes.length - told.length
  return `State of the ${scope}: ${[...told, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')}`
}
