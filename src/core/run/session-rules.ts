import type { EventOf } from '../event.ts'
import { defaultToolMode, narrowerMode } from '../policy/mode.ts'
import type { Draft } from './draft.ts'
import { openRunOf, refuse, refuseWithoutId } from './illegal.ts'
import type { RunState } from './state.ts'

export function sessionStarted(draft: Draft, event: EventOf<'session.started'>, at: number): void {
  if (draft.sequence !== 1) refuse('A session starts with its first event.')
  const { session: id, subject, agent, mode } = event
  draft.head = { ...draft.head, id, subject, agent, startedAt: at, ...(mode === undefined ? {} : { mode }) }
}

/** A narrower mode ends what was approved for the session under the wider one; refusals stay. */
export function modeChanged(draft: Draft, event: EventOf<'mode.changed'>): void {
  const before = draft.head.mode ?? defaultToolMode
  const narrowed = event.mode !== before && narrowerMode(before, event.mode) === event.mode
  if (narrowed) draft.remembered = draft.remembered.filter((answer) => !answer.approved)
  draft.head = { ...draft.head, mode: event.mode }
}

export function runStarted(draft: Draft, event: EventOf<'run.started'>, at: number): void {
  if (draft.head.openRun !== undefined) refuse(`The run ${draft.head.openRun} has not ended.`)
  refuseWithoutId(event.run, 'run')
  if (draft.runs.get(event.run) !== undefined) refuse(`The run ${event.run} exists.`)
  const { run: id, mode, model, stepsMax, callsMax, onUncertain } = event
  const started: RunState = {
    id,
    ...(mode === undefined ? {} : { mode }),
    ...(onUncertain === undefined ? {} : { onUncertain }),
    model,
    stepsMax,
    callsMax,
    step: 0,
    stepCalls: [],
    callCount: 0,
    openTickets: [],
    usage: {},
    startedAt: at,
  }
  draft.runs.set(id, started)
  draft.head = { ...draft.head, openRun: id }
}

export function messageAdded(draft: Draft, event: EventOf<'message.added'>): void {
  const run = openRunOf(draft, event.run)
  const { message } = event
  if (message.role === 'user') {
    draft.added.push({ role: 'user', run: run.id, text: message.text })
    return
  }
  if (message.step !== run.step + 1) refuse(`Step ${message.step} does not follow step ${run.step}.`)
  for (const id of run.stepCalls) {
    if (draft.calls.get(id)?.end === undefined) refuse(`The call ${id} of step ${run.step} has not ended.`)
  }
  draft.runs.set(run.id, { ...run, step: message.step, stepCalls: [] })
  draft.added.push({ ...message, run: run.id, calls: [] })
}

export function toolsOffered(draft: Draft, event: EventOf<'tools.offered'>): void {
  openRunOf(draft, event.run)
  draft.head = { ...draft.head, offered: event.catalog }
}

export function usageRecorded(draft: Draft, event: EventOf<'usage.recorded'>): void {
  const run = openRunOf(draft, event.run)
  const usage: Record<string, number> = { ...run.usage }
  for (const [key, value] of Object.entries(event.usage)) usage[key] = (usage[key] ?? 0) + value
  draft.runs.set(run.id, { ...run, usage })
}

export function runEnded(draft: Draft, event: EventOf<'run.ended'>, at: number): void {
  const run = openRunOf(draft, event.run)
  for (const id of run.stepCalls) {
    if (draft.calls.get(id)?.end === undefined) refuse(`The call ${id} has not ended.`)
  }
  const { status, text, output } = event
  const ended = { status, text, at, ...(output === undefined ? {} : { output }) }
  draft.runs.set(run.id, { ...run, ended })
  const { openRun: _, ...head } = draft.head
  draft.head = head
}
