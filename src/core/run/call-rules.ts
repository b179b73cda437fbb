import type { CallOutcome, EventOf } from '../event.ts'
import type { Draft } from './draft.ts'
import { redeemed } from './execution-rules.ts'
import { callOf, openRunOf, refuse, refuseWithoutId } from './illegal.ts'
import type { CallEnd, CallState } from './state.ts'
import { isStillUncertain, wasUncertain } from './uncertain.ts'

export function callProposed(draft: Draft, event: EventOf<'call.proposed'>): void {
  const run = openRunOf(draft, event.run)
  const entry = draft.lastEntry()
  if (entry?.role !== 'assistant' || entry.run !== run.id || entry.step !== event.step) {
    refuse(`The call ${event.call} does not follow the model's message of step ${event.step}.`)
  }
  refuseWithoutId(event.call, 'call')
  if (draft.calls.get(event.call) !== undefined) refuse(`The call ${event.call} exists.`)
  if (draft.modelCallIds.get(event.modelCallId) !== undefined) {
    refuse(`The model knows another call as ${event.modelCallId}.`)
  }
  if (event.index !== run.stepCalls.length) refuse(`The call ${event.call} is out of order.`)
  const { call: id, step, index, modelCallId, name, argumentsText, parallel } = event
  const { givenCallId, accepted, yields, shares } = event
  const given = givenCallId === undefined ? undefined : { givenCallId }
  const facts = { id, run: run.id, step, index, modelCallId, name, argumentsText, parallel, ...given }
  const asking = yields === undefined ? undefined : { yields }
  const sharing = shares === undefined ? undefined : { shares }
  draft.calls.set(id, { ...facts, ...asking, ...sharing, ...accepted, status: 'proposed', attempt: 0 })
  draft.modelCallIds.set(modelCallId, id)
  draft.runs.set(run.id, { ...run, stepCalls: [...run.stepCalls, id], callCount: run.callCount + 1 })
  draft.replaceCalls([...entry.calls, id])
}

function endCall(draft: Draft, call: CallState, end: CallEnd, toldBytes?: number): void {
  const told = toldBytes === undefined ? {} : { toldBytes }
  draft.calls.set(call.id, { ...call, status: 'ended', end, ...told })
}

/** Whether the tool has been entered: what became of it is an outcome from then on. */
function wasEntered({ status }: CallState): boolean {
  return status === 'started' || status === 'resting' || status === 'handed_out' || status === 'ended'
}

export function callRefused(draft: Draft, event: EventOf<'call.refused'>): void {
  const call = callOf(draft, event.call)
  if (wasEntered(call)) refuse(`The call ${call.id} is ${call.status}.`)
  if (call.status === 'asking') refuse(`The call ${call.id} has an open ticket; decide it first.`)
  const { code, category, message, toldBytes } = event
  const kind = category === undefined ? {} : { category }
  endCall(draft, call, { status: 'refused', code, message, ...kind }, toldBytes)
}

export function callCancelled(draft: Draft, event: EventOf<'call.cancelled'>): void {
  const call = callOf(draft, event.call)
  if (wasEntered(call)) refuse(`The call ${call.id} is ${call.status}.`)
  if (call.status === 'asking') refuse(`The call ${call.id} has an open ticket; decide it first.`)
  endCall(draft, call, { status: 'cancelled', message: event.message })
}

/** The claim. It binds to the digest, and uses up an approval: a ticket starts one claim only. */
export function callStarted(draft: Draft, event: EventOf<'call.started'>, at: number): void {
  const call = callOf(draft, event.call)
  openRunOf(draft, call.run)
  if (call.status === 'asking' || call.status === 'handed_out' || call.status === 'ended')
    refuse(`The call ${call.id} is ${call.status}.`)
  if (call.status === 'started' && (call.epoch ?? 0) >= event.epoch) {
    refuse(`The call ${call.id} was started already.`)
  }
  if (call.digest !== event.digest) refuse(`The call ${call.id} has other arguments than those claimed.`)
  if (event.attempt !== call.attempt + 1) refuse(`The call ${call.id} has had ${call.attempt} claims.`)
  if (call.ticket !== event.ticket) refuse(`The claim of ${call.id} names another ticket than the call's.`)
  if (call.ticket !== undefined && draft.tickets.get(call.ticket)?.decided?.approved !== true) {
    refuse(`The ticket of ${call.id} was not approved.`)
  }
  if (call.yields === true && call.input === undefined && !hasShared(draft, call))
    refuse(`The call ${call.id} has not been answered.`)
  const { attempt, epoch, toolClass } = event
  draft.calls.set(call.id, { ...call, status: 'started', attempt, epoch, toolClass, startedAt: at })
}

/** Whether the call whose outcome counts for this one has come to it: then nothing more is asked. */
function hasShared(draft: Draft, { shares }: CallState): boolean {
  return shares !== undefined && draft.calls.get(shares)?.end?.status === 'completed'
}

export function callSettled(
  draft: Draft,
  event: EventOf<'call.completed' | 'call.failed'>,
  at: number,
): void {
  const call = callOf(draft, event.call)
  if (!wasEntered(call) || call.status === 'ended')
    refuse(`The call ${call.id} is ${call.status}, not started.`)
  if (event.type !== `call.${event.outcome.status}`) refuse(`The outcome of ${call.id} has the wrong kind.`)
  const settled = redeemed(draft, call, event, at)
  endCall(draft, settled, event.outcome, event.type === 'call.failed' ? event.toldBytes : undefined)
  noteSpilled(draft, call, event.outcome)
  if (wasUncertain({ end: event.outcome }) && call.digest !== undefined)
    draft.uncertain.set(call.digest, call.id)
}

function noteSpilled(draft: Draft, call: CallState, outcome: CallOutcome): void {
  if (outcome.status === 'completed' && 'blob' in outcome.text) draft.spilled.set(outcome.text.blob, call.id)
}

/** A late report is first-hand knowledge: the call is uncertain no more, unless the report itself leaves that open. */
export function callLate(draft: Draft, event: EventOf<'call.late'>): void {
  const call = callOf(draft, event.call)
  if (call.end?.status !== 'failed') refuse(`The call ${call.id} was not given up.`)
  if (call.late !== undefined) refuse(`The call ${call.id} has reported late before.`)
  draft.calls.set(call.id, { ...call, late: event.outcome })
  noteSpilled(draft, call, event.outcome)
  if (!isStillUncertain(event.outcome)) clearUncertain(draft, call)
}

export function callReconciled(draft: Draft, event: EventOf<'call.reconciled'>): void {
  const call = callOf(draft, event.call)
  if (!wasUncertain(call)) refuse(`The outcome of ${call.id} is not uncertain.`)
  if (call.reconciled !== undefined) refuse(`The call ${call.id} was reconciled before.`)
  draft.calls.set(call.id, { ...call, reconciled: event.found })
  clearUncertain(draft, call)
}

function clearUncertain(draft: Draft, call: CallState): void {
  if (call.digest !== undefined && draft.uncertain.get(call.digest) === call.id) {
    draft.uncertain.delete(call.digest)
  }
}
