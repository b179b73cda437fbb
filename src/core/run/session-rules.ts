import type { EventOf } from '../event.ts'
import { defaultToolMode, narrowerMode } from '../policy/mode.ts'
import type { Draft } from './draft.ts'
import { openRunOf, refuse, refuseWithoutId } from './illegal.ts'
import type { RunState } from './state.ts'

export function sessionStarted(draft: Draft, event: EventOf<'session.started'>, at: number): void {
  if (draft.sequence !== 1) refuse('A session starts with its first event.')
  const { session: id, subject, agent, mode, parent } = event
  const given = { ...(mode === undefined ? {} : { mode }), ...(parent === undefined ? {} : { parent }) }
  draft.head = { ...draft.head, id, subject, agent, startedAt: at, ...given }
}

/** A narrower mode ends what was approved for the session under the wider one; refusals stay. */
export function modeChanged(draft: Draft, event: EventOf<'mode.changed'>): void {
  const before = draft.head.mode ?? defaultToolMode
  const narrowed = event.mode !== before && narrowerMode(before, event.mode) === event.mode
  if (narrowed) draft.remembered = draft.remembered.filter((answer) => !answer.approved)
  draft.head = { ...draft.head, mode: event.mode }
}

const noValues = Object.freeze({})

export function runStarted(draft: Draft, event: EventOf<'run.started'>, at: number): void {
  if (draft.head.openRun !== undefined) refuse(`The run ${draft.head.openRun} has not ended.`)
  refuseWithoutId(event.run, 'run')
  if (draft.runs.get(event.run) !== undefined) refuse(`The run ${event.run} exists.`)
  const { run: id, mode, model, stepsMax, callsMax, onUncertain, structure, origin, endsAt, idle } = event
  const started: RunState = {
    id,
    ...(mode === undefined ? {} : { mode }),
    ...(onUncertain === undefined ? {} : { onUncertain }),
    ...(structure === undefined ? {} : { structure }),
    ...(origin === undefined ? {} : { origin }),
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(idle === undefined ? {} : { idle }),
    model,
    stepsMax,
    callsMax,
    step: 0,
    stepCalls: [],
    callCount: 0,
    openTickets: [],
    values: noValues,
    usage: {},
    startedAt: at,
  }
  draft.runs.set(id, started)
  const { fingerprint } = event
  draft.head = { ...draft.head, openRun: id, ...(fingerprint === undefined ? {} : { fingerprint }) }
}

export function messageAdded(draft: Draft, event: EventOf<'message.added'>): void {
  const run = openRunOf(draft, event.run)
  const { message } = event
  if (message.role === 'user') {
    const { text, files } = message
    draft.added.push({ role: 'user', run: run.id, text, ...(files === undefined ? {} : { files }) })
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
  for (const key of Object.keys(event.usage) as (keyof typeof event.usage)[]) {
    usage[key] = (usage[key] ?? 0) + (event.usage[key] as number)
  }
  draft.runs.set(run.id, { ...run, usage })
}

export function stopWasRequested(draft: Draft, event: EventOf<'stop.requested'>, at: number): void {
  const run = openRunOf(draft, event.run)
  if (run.stopRequested !== undefined) refuse(`The run ${event.run} was asked to stop already.`)
  const { reason, by } = event
  draft.runs.set(run.id, { ...run, stopRequested: { reason, by, at } })
}

export function runEnded(draft: Draft, event: EventOf<'run.ended'>, at: number): void {
  const run = openRunOf(draft, event.run)
  for (const id of run.stepCalls) {
    if (draft.calls.get(id)?.end === undefined) refuse(`The call ${id} has not ended.`)
  }
  const { status, text, output, code } = event
  const given = { ...(output === undefined ? {} : { output }), ...(code === undefined ? {} : { code }) }
  const ended = { status, text, at, ...given }
  draft.runs.set(run.id, { ...run, ended })
  const { openRun: _, ...head } = draft.head
  draft.head = head
}
