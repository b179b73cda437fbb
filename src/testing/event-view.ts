import { textOf } from '../core/call.ts'
import type { Actor, CompletedOutcome, EventOf } from '../core/event.ts'
import { parseArguments, parseJson } from '../core/json/strict.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { LoggedEvent } from './logged-event.ts'

interface Place {
  /** Place in the log, from 1. */
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly at: number
}

interface OfCall extends Place {
  /** Our own id of the call. */
  readonly callId: string
  /** The tool's name. */
  readonly name: string
}

/** What each name of the alias table shows. */
export interface EventViews {
  readonly user: Place & { readonly type: 'user'; readonly text: string }
  readonly assistant: Place & { readonly type: 'assistant'; readonly text: string }
  /** `args` as the model wrote them: parsed, or the text when it is no JSON. */
  readonly tool_call: OfCall & { readonly type: 'tool_call'; readonly args: JsonValue }
  readonly tool_denied: OfCall & {
    readonly type: 'tool_denied'
    readonly category: string
    readonly message: string
  }
  readonly tool_result: ToolResult
  readonly approval_decided: OfCall & {
    readonly type: 'approval_decided'
    readonly approved: boolean
    readonly scope: 'once' | 'session'
    readonly by: Actor
    readonly reason?: string
    readonly category?: string
    readonly waitedMs: number
  }
  readonly tool_yield: YieldView
  readonly tool_input: InputView
}

interface YieldView extends OfCall {
  readonly type: 'tool_yield'
  /** The ask, by which it is answered. */
  readonly ticket: string
  /** The prepared arguments. */
  readonly args: JsonValue
}

interface InputView extends OfCall {
  readonly type: 'tool_input'
  readonly ticket: string
  /** What was given; absent when the question was declined. */
  readonly input?: JsonValue
  readonly declined?: true
  readonly reason?: string
  readonly category?: string
  readonly by: Actor
  readonly waitedMs: number
}

/** How one call ended: with a result, or with an error. */
export interface ToolResult extends OfCall {
  readonly type: 'tool_result'
  /**
   * What the tool returned, as JSON can say it; null when it returned nothing. Of a result too large for the log it is
   * the preview that the model read.
   */
  readonly result?: JsonValue
  /** The message: as the tool threw it, or why the call was refused. */
  readonly error?: string
  readonly timedOut?: true
  /** 0 for a call that never started. */
  readonly durationMs: number
  /** Tries after the first one. */
  readonly retryCount?: number
  /** The tool ended the run with its result. */
  readonly output?: true
}

/** Who is called: proposals by the call's id. */
export type Proposals = ReadonlyMap<string, EventOf<'call.proposed'>>

type Of<Type extends LoggedEvent['type']> = Extract<LoggedEvent, { type: Type }>

/** A message of one role. */
export function viewMessage<Role extends 'user' | 'assistant'>(
  { message, sequence, at }: Of<'message.added'>,
  role: Role,
): (Place & { type: Role; text: string }) | undefined {
  if (message.role !== role) return undefined
  const text =
    message.role === 'user'
      ? message.text
      : message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return { type: role, text, sequence, at }
}

export function viewCall(event: Of<'call.proposed'>): EventViews['tool_call'] {
  const { call: callId, name, argumentsText, sequence, at } = event
  const parsed = parseArguments(argumentsText)
  return { type: 'tool_call', callId, name, args: parsed.ok ? parsed.value : argumentsText, sequence, at }
}

export function viewDenial(
  { call: callId, code, category = code, message, sequence, at }: Of<'call.refused'>,
  name: string,
): EventViews['tool_denied'] | undefined {
  if (code !== 'denied') return undefined
  return { type: 'tool_denied', callId, name, category, message, sequence, at }
}

export function viewDecision(event: Of<'approval.decided'>, name: string): EventViews['approval_decided'] {
  const { call: callId, approved, scope, by, reason, category, waitedMs, sequence, at } = event
  return {
    type: 'approval_decided',
    callId,
    name,
    approved,
    scope,
    by,
    ...(reason === undefined ? {} : { reason }),
    ...(category === undefined ? {} : { category }),
    waitedMs,
    sequence,
    at,
  }
}

export function viewYield(
  { call: callId, ticket, sequence, at }: Of<'input.requested'>,
  { name, accepted }: EventOf<'call.proposed'>,
): YieldView {
  return { type: 'tool_yield', callId, name, ticket, args: accepted?.args ?? null, sequence, at }
}

export function viewInput(event: Of<'input.given' | 'input.declined'>, name: string): InputView {
  const { call: callId, ticket, by, waitedMs, sequence, at } = event
  const base = { type: 'tool_input', callId, name, ticket, by, waitedMs, sequence, at } as const
  if (event.type === 'input.given') return { ...base, input: event.value }
  const { reason, category } = event
  return {
    ...base,
    declined: true,
    ...(reason === undefined ? {} : { reason }),
    ...(category === undefined ? {} : { category }),
  }
}

export function viewResult(
  event: Of<'call.completed' | 'call.failed' | 'call.refused' | 'call.cancelled'>,
  name: string,
): ToolResult {
  const { call: callId, sequence, at } = event
  const base = { type: 'tool_result', callId, name, sequence, at } as const
  if (event.type === 'call.refused' || event.type === 'call.cancelled')
    return { ...base, error: event.message, durationMs: 0 }
  const { outcome, durationMs, tries } = event
  const took = { durationMs, ...(tries > 1 ? { retryCount: tries - 1 } : {}) }
  if (outcome.status === 'failed') {
    return { ...base, error: outcome.message, ...(outcome.timedOut ? { timedOut: true } : {}), ...took }
  }
  const output = outcome.control === 'output' ? ({ output: true } as const) : {}
  return { ...base, result: resultOf(outcome), ...took, ...output }
}

function resultOf({ kind, text }: CompletedOutcome): JsonValue {
  if (kind === 'empty') return null
  const parsed = kind === 'json' && 'inline' in text ? parseJson(text.inline, resultLimits) : undefined
  return parsed?.ok ? parsed.value : textOf(text)
}

/** What was encoded is decoded, however large it is. */
const resultLimits = { depthMax: 1_000, membersMax: Number.POSITIVE_INFINITY }
