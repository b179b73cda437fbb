import { textOf } from '../../core/call.ts'
import type { FinishReason } from '../../core/driver.ts'
import type { CallOutcome, Event, EventOf } from '../../core/event.ts'
import { actorText } from './actor-text.ts'
import { clipped } from './clipped.ts'
import { duration } from './duration.ts'
import { inertLine, inertText, visibleJson } from './inert-text.ts'
import { inputLine } from './input-lines.ts'
import type { Style } from './output.ts'
import { restLine } from './rest-lines.ts'
import type { StoryLine } from './story-line.ts'

/** What a line needs to know of the log before it. */
export interface StoryNames {
  /** The name of the tool that a call uses. */
  toolOf(call: string): string
  /** How the model's last answer in a run ended. */
  finishOf(run: string): FinishReason | undefined
  /** What the approval handler is called; default `the process that asked`. */
  readonly asker?: string
}

const argumentsMax = 110
const resultMax = 110
const messageMax = 600

/** What one event says to a person; empty for those that only the log needs. Nothing in it can steer a terminal. */
export function eventLines(event: Event, names: StoryNames): readonly StoryLine[] {
  switch (event.type) {
    case 'message.added':
      return messageLines(event.message)
    case 'output.refused':
      return [line('!', 'yellow', short(event.message))]
    case 'call.proposed':
      return [{ mark: '→', style: 'cyan', text: proposed(event) }]
    case 'call.refused':
      // A person's no was told with the decision.
      if (event.code === 'declined') return []
      return [
        line('✗', 'red', `${named(names, event.call)} refused [${event.code}]: ${short(event.message)}`),
      ]
    case 'call.cancelled':
      return [line('✗', 'yellow', `${named(names, event.call)} cancelled: ${short(event.message)}`)]
    case 'approval.requested':
    case 'approval.edited':
    case 'approval.decided':
      return [approvalLine(event, names)]
    case 'input.requested':
    case 'input.given':
    case 'input.declined':
      return [inputLine(event, named(names, event.call), names.asker)]
    case 'execution.requested':
      return [line('…', 'yellow', `${named(names, event.call)} handed out as ${event.ticket}`)]
    case 'call.rested':
    case 'child.started':
    case 'state.changed':
      return [restLine(event, (call) => named(names, call))]
    case 'call.completed':
    case 'call.failed':
      return [ended(named(names, event.call), event.outcome, duration(event.durationMs))]
    case 'call.late':
      return [line('!', 'yellow', `${named(names, event.call)} reported late: ${event.outcome.status}`)]
    case 'call.reconciled':
      return [
        line(
          '!',
          'yellow',
          `${named(names, event.call)} ${event.call} was found ${event.found} by ${actorText(event.by)}${because(event.note)}`,
        ),
      ]
    case 'mode.changed':
      return [
        line('!', 'yellow', `The mode is ${event.mode} from the next run on, by ${actorText(event.by)}`),
      ]
    case 'run.ended':
      return event.status === 'completed'
        ? []
        : [line('■', 'red', endingOf(event, names.finishOf(event.run)))]
    default:
      return []
  }
}

function line(mark: string, style: Style, text: string): StoryLine {
  return { mark, style, text }
}

/** A model's last words say nothing about why a run was cut short; how its answer ended does. */
function endingOf({ status, text }: EventOf<'run.ended'>, finish: FinishReason | undefined): string {
  const why = status === 'cut_short' ? cutShort(finish) : short(text)
  return `The run ended as ${status}${why === '' ? '.' : `: ${why}`}`
}

function cutShort(finish: FinishReason | undefined): string {
  switch (finish) {
    case 'length':
      return "the model's answer reached its output limit (length). Ask for less at once, or choose another model."
    case 'filter':
      return "the provider's content filter stopped the model's answer (content_filter). Word the request otherwise, or choose another model."
    default:
      return `the model stopped before its answer was whole (${finish ?? 'for no known reason'}). Try again, or choose another model.`
  }
}

function messageLines(message: EventOf<'message.added'>['message']): readonly StoryLine[] {
  if (message.role === 'user') return [{ mark: '>', style: 'bold', text: inertText(message.text) }]
  const text = message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return text === '' ? [] : [{ mark: '', text: inertText(text) }]
}

function named(names: StoryNames, call: string): string {
  return inertLine(clipped(names.toolOf(call), 128))
}

function proposed({ name, accepted, argumentsText }: EventOf<'call.proposed'>): string {
  const args =
    accepted === undefined ? inertLine(clipped(argumentsText, argumentsMax)) : shortJson(accepted.args)
  return `${inertLine(clipped(name, 128))} ${args}`
}

function shortJson(value: Parameters<typeof visibleJson>[0]): string {
  return clipped(visibleJson(value), argumentsMax)
}

function short(text: string): string {
  return inertLine(clipped(text.replaceAll('\n', ' '), messageMax))
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${short(reason)}`
}

function approvalLine(
  event: EventOf<'approval.requested'> | EventOf<'approval.edited'> | EventOf<'approval.decided'>,
  names: StoryNames,
): StoryLine {
  const tool = named(names, event.call)
  switch (event.type) {
    case 'approval.requested': {
      const { toolClass, decision, ticket } = event
      return line('?', 'yellow', `${tool} asks (${toolClass}): ${short(decision.reason)} ${ticket}`)
    }
    case 'approval.edited': {
      const by = actorText(event.by, names.asker)
      return line('~', 'yellow', `${tool} was changed by ${by}: ${shortJson(event.args)}`)
    }
    case 'approval.decided':
      return decided(event, names)
  }
}

function decided(event: EventOf<'approval.decided'>, names: StoryNames): StoryLine {
  const { approved, scope, by, reason, waitedMs } = event
  const what = approved ? `allowed${scope === 'session' ? ' for the session' : ''}` : 'declined'
  const text = `${named(names, event.call)} ${what} by ${actorText(by, names.asker)} after ${duration(waitedMs)}${because(reason)}`
  return approved ? line('✓', 'green', text) : line('✗', 'red', text)
}

/** A sentence that goes on behind its end has no full stop there. */
function unstopped(sentence: string, more: string): string {
  return more === '' ? sentence : sentence.replace(/\.$/, '')
}

function ended(name: string, outcome: CallOutcome, took: string): StoryLine {
  if (outcome.status === 'completed') {
    const text = textOf(outcome.text).slice(0, 2_000).replace(/\s+/g, ' ')
    return line(
      '✓',
      'green',
      `${name} ${took}${text === '' ? '' : `  ${inertLine(clipped(text, resultMax))}`}`,
    )
  }
  const effect = outcome.effect === 'uncertain' ? '; nobody saw whether its effect took place' : ''
  return line(
    '✗',
    'red',
    `${name} failed after ${took} [${outcome.code}]: ${unstopped(short(outcome.message), effect)}${effect}`,
  )
}
