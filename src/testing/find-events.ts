import type { Delta, RunEvent } from '../agent/run-event.ts'
import { aliasTable, type EventAlias } from '../core/aliases.ts'
import { ToolpostError } from '../core/error.ts'
import type { EventOf, EventType } from '../core/event.ts'
import { eventTable } from '../core/event-table.ts'
import {
  type EventViews,
  type Proposals,
  type ToolResult,
  viewCall,
  viewDecision,
  viewDenial,
  viewInput,
  viewMessage,
  viewResult,
  viewYield,
} from './event-view.ts'
import { type GivenEvent, type LoggedEvent, ownEvents } from './logged-event.ts'
import { refuseArgument } from './refuse-argument.ts'

/** What a finder can be asked for: a type of the log, a delta, or a name of the alias table. */
export type FindableType = EventType | Delta['type'] | EventAlias

/** What a finder gives for a type. */
export type FoundEvent<Type extends FindableType> = Type extends EventAlias
  ? EventViews[Type]
  : Extract<RunEvent, { type: Type }>

const deltaTypes: Readonly<Record<Delta['type'], true>> = {
  'text.delta': true,
  'reasoning.delta': true,
  'call.delta': true,
  'call.progressed': true,
  warning: true,
}

/**
 * The events of one type, in order: of a log (`run.events`, or `await session.events()`) or of a stream, where those of
 * child runs are left out. The names of
 * other systems are known: `tool_call`, `tool_result`, `tool_denied`, `tool_yield`, `tool_input`, `approval_decided`,
 * `user`, `assistant`.
 *
 * Errors: INVALID_ARGUMENT for what is no list, and for a type that does not exist, so that a slip of the pen finds not nothing; the same when
 * the list has the end of a call but not its beginning.
 */
export function findEventsByType<const Type extends FindableType>(
  events: readonly GivenEvent[],
  type: Type,
): FoundEvent<Type>[] {
  if (!Array.isArray(events))
    refuseArgument('The events are a list, such as run.events or await session.events().')
  const streamed: RunEvent[] = ownEvents(events)
  if (isAlias(type)) return findViews(streamed, type) as FoundEvent<Type>[]
  if (!Object.hasOwn(eventTable, type) && !Object.hasOwn(deltaTypes, type)) throw unknownType(type)
  return streamed.filter((event) => event.type === type) as FoundEvent<Type>[]
}

/** The calls that were proposed, of all tools or of one. */
export function getToolCalls(events: readonly GivenEvent[], name?: string): EventViews['tool_call'][] {
  return findEventsByType(events, 'tool_call').filter((call) => name === undefined || call.name === name)
}

/** How the calls ended, each once, of all tools or of one. */
export function getToolResults(events: readonly GivenEvent[], name?: string): ToolResult[] {
  return findEventsByType(events, 'tool_result').filter((each) => name === undefined || each.name === name)
}

function isAlias(type: string): type is EventAlias {
  return Object.hasOwn(aliasTable, type)
}

function findViews(events: readonly RunEvent[], alias: EventAlias): EventViews[EventAlias][] {
  const types: readonly string[] = aliasTable[alias]
  const proposals = new Map(
    events.flatMap((event) => (event.type === 'call.proposed' ? [[event.call, event]] : [])),
  )
  return events.flatMap((event) => {
    const view = types.includes(event.type) ? viewAs(alias, event as LoggedEvent, proposals) : undefined
    return view === undefined ? [] : [view]
  })
}

function viewAs(
  alias: EventAlias,
  event: LoggedEvent,
  proposals: Proposals,
): EventViews[EventAlias] | undefined {
  switch (event.type) {
    case 'message.added':
      return viewMessage(event, alias === 'user' ? 'user' : 'assistant')
    case 'call.proposed':
      return viewCall(event)
    case 'approval.decided':
      return viewDecision(event, nameOf(event.call, proposals))
    case 'input.requested':
      return viewYield(event, proposalOf(event.call, proposals))
    case 'input.given':
    case 'input.declined':
      return viewInput(event, nameOf(event.call, proposals))
    case 'call.refused': {
      const name = nameOf(event.call, proposals)
      return alias === 'tool_denied' ? viewDenial(event, name) : viewResult(event, name)
    }
    case 'call.completed':
    case 'call.failed':
    case 'call.cancelled':
      return viewResult(event, nameOf(event.call, proposals))
    default:
      return undefined
  }
}

function nameOf(call: string, proposals: Proposals): string {
  return proposalOf(call, proposals).name
}

function proposalOf(call: string, proposals: Proposals): EventOf<'call.proposed'> {
  const proposal = proposals.get(call)
  if (proposal !== undefined) return proposal
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The list has the end of the call "${call}" but not its call.proposed; hand in the whole log.`,
  )
}

function unknownType(type: string): ToolpostError {
  const names = [...Object.keys(eventTable), ...Object.keys(deltaTypes), ...Object.keys(aliasTable)]
  return new ToolpostError(
    'INVALID_ARGUMENT',
    `There are no events of type "${type}"; the types are ${names.join(', ')}.`,
  )
}
