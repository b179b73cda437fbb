import { expect, test } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import { newSessionState } from '../../../src/core/run/draft.ts'
import { fold } from '../../../src/core/run/fold.ts'
import { rowsOf } from '../../../src/core/run/rows.ts'
import type { SessionState } from '../../../src/core/run/state.ts'
import { isUncertain } from '../../../src/core/run/uncertain.ts'

const by = { id: 'ann', method: 'library' }
const decision = { verdict: 'ask', reason: 'because', trace: [] } as const
const accepted = { args: { n: 1 }, digest: 'd1', version: 'v1' }

const session: Event = { type: 'session.started', session: 's', subject: 'ann', agent: 'a', mode: 'ask' }
const run: Event = { type: 'run.started', run: 'r', mode: 'ask', model: 'm', stepsMax: 9, callsMax: 9 }
const user: Event = { type: 'message.added', run: 'r', message: { role: 'user', text: 'go' } }
const answer: Event = {
  type: 'message.added',
  run: 'r',
  message: { role: 'assistant', step: 1, parts: [], finish: 'calls' },
}
const proposed: Event = {
  type: 'call.proposed',
  run: 'r',
  step: 1,
  call: 'c',
  index: 0,
  modelCallId: 'm1',
  name: 'pay',
  argumentsText: '{"n":1}',
  parallel: false,
  accepted,
}
const asked: Event = {
  type: 'approval.requested',
  ticket: 't',
  call: 'c',
  digest: 'd1',
  toolClass: 'write',
  decision,
  remember: 'rule',
}
const approved: Event = {
  type: 'approval.decided',
  ticket: 't',
  call: 'c',
  approved: true,
  scope: 'session',
  by,
  waitedMs: 5,
}
const denied: Event = { ...approved, approved: false, scope: 'once' }
const started: Event = {
  type: 'call.started',
  call: 'c',
  attempt: 1,
  epoch: 1,
  digest: 'd1',
  toolClass: 'write',
  decision,
  ticket: 't',
}
const completed: Event = {
  type: 'call.completed',
  call: 'c',
  outcome: { status: 'completed', kind: 'text', text: { inline: 'paid' } },
  tries: 1,
  durationMs: 3,
}
const uncertain: Event = {
  type: 'call.failed',
  call: 'c',
  outcome: { status: 'failed', code: 'interrupted', message: 'gone', effect: 'uncertain' },
  tries: 0,
  durationMs: 0,
}
const ended: Event = { type: 'run.ended', run: 'r', status: 'completed', text: 'done' }

function folded(...events: Event[]): SessionState {
  const state = newSessionState()
  fold(
    state,
    events.map((event, at) => ({ at, event })),
  ).commit()
  return state
}

const upToStart = [session, run, user, answer, proposed, asked, approved, started]

test('a whole life of a call folds into its state', () => {
  const state = folded(...upToStart, completed, ended)
  expect(state.calls.get('c')).toMatchObject({
    status: 'ended',
    end: { status: 'completed' },
    ticket: 't',
    toolClass: 'write',
  })
  expect(state.runs.get('r')).toMatchObject({ ended: { status: 'completed' }, openTickets: [], callCount: 1 })
  expect(state.remembered).toMatchObject([
    { tool: 'pay', version: 'v1', toolClass: 'write', approved: true, by: 'ann' },
  ])
  expect(state.openRun).toBeUndefined()
})

test('folding event by event, in any pieces, gives the same as folding at once', () => {
  const events = [...upToStart, uncertain].map((event, at) => ({ at, event }))
  const whole = newSessionState()
  fold(whole, events).commit()
  for (let cut = 1; cut < events.length; cut += 1) {
    const pieces = newSessionState()
    fold(pieces, events.slice(0, cut)).commit()
    fold(pieces, events.slice(cut)).commit()
    expect(pieces).toEqual(whole)
  }
})

test('a draft that is not committed leaves nothing behind', () => {
  const state = folded(...upToStart)
  const before = structuredClone(state)
  fold(state, [{ at: 9, event: completed }])
  expect(state).toEqual(before)
})

test.each([
  ['a log that does not begin with its session', [run]],
  ['a second session', [session, session]],
  ['a run in a run', [session, run, { ...run, run: 'r2' }]],
  ['a message of a run that was not started', [session, user]],
  ['a call that follows no message', [session, run, user, proposed]],
  ['a step that leaves one out', [session, run, { ...answer, message: { ...answer.message, step: 2 } }]],
  ['a call that exists', [session, run, answer, proposed, { ...proposed, index: 1, modelCallId: 'm2' }]],
  ['a model id that is taken', [session, run, answer, proposed, { ...proposed, index: 1, call: 'c2' }]],
  ['an ask about other arguments', [session, run, answer, proposed, { ...asked, digest: 'd2' }]],
  ['a second ask while one is open', [session, run, answer, proposed, asked, { ...asked, ticket: 't2' }]],
  ['a second answer', [...upToStart.slice(0, 7), denied]],
  ['a claim without an answer', [session, run, answer, proposed, asked, started]],
  ['a claim after a refusal', [session, run, answer, proposed, asked, denied, started]],
  [
    'a claim that names no ticket',
    [session, run, answer, proposed, asked, approved, { ...started, ticket: undefined }],
  ],
  [
    'a claim of other arguments',
    [session, run, answer, proposed, asked, approved, { ...started, digest: 'd2' }],
  ],
  ['a second claim under the same lease', [...upToStart, { ...started, attempt: 2 }]],
  [
    'a claim that skips a number',
    [session, run, answer, proposed, asked, approved, { ...started, attempt: 2 }],
  ],
  ['an outcome without a claim', [session, run, answer, proposed, completed]],
  ['a second outcome', [...upToStart, completed, completed]],
  ['an outcome of the wrong kind', [...upToStart, { ...completed, type: 'call.failed' }]],
  [
    'a refusal of what was started',
    [...upToStart, { type: 'call.refused', call: 'c', code: 'x', message: 'y' }],
  ],
  [
    'a refusal while its ask is open',
    [session, run, answer, proposed, asked, { type: 'call.refused', call: 'c', code: 'x', message: 'y' }],
  ],
  [
    'a late report of what was not given up',
    [...upToStart, completed, { type: 'call.late', call: 'c', outcome: completed.outcome }],
  ],
  [
    'a reconciliation of what is certain',
    [...upToStart, completed, { type: 'call.reconciled', call: 'c', found: 'failed', by }],
  ],
  ['the end of a run with an open call', [...upToStart, ended]],
  [
    'a next step before the calls of the last have ended',
    [...upToStart, { ...answer, message: { ...answer.message, step: 2 } }],
  ],
  ['an event that nobody knows', [session, { type: 'weather.changed' }]],
] as [string, Event[]][])('the log refuses %s, and the state stays as it was', (_name, events) => {
  expect(() => folded(...events)).toThrowError(expect.objectContaining({ code: 'ILLEGAL_EVENT' }))
})

test('an uncertain call is known by its digest until somebody finds out', () => {
  const state = folded(...upToStart, uncertain)
  expect([...state.uncertain]).toEqual([['d1', 'c']])
  const found: Event = { type: 'call.reconciled', call: 'c', found: 'not_run', by }
  expect(folded(...upToStart, uncertain, found).uncertain.size).toBe(0)
  const late: Event = { type: 'call.late', call: 'c', outcome: completed.outcome }
  expect(folded(...upToStart, uncertain, late).uncertain.size).toBe(0)
  // A late report that leaves the effect open settles nothing; one that says that there was none does.
  const failed = { status: 'failed', code: 'x', message: 'x' } as const
  const unclear: Event = { type: 'call.late', call: 'c', outcome: { ...failed, effect: 'uncertain' } }
  const clear: Event = { type: 'call.late', call: 'c', outcome: { ...failed, effect: 'none' } }
  expect([...folded(...upToStart, uncertain, unclear).uncertain.values()]).toEqual(['c'])
  expect(isUncertain(folded(...upToStart, uncertain, unclear).calls.get('c')!)).toBe(true)
  expect(isUncertain(folded(...upToStart, uncertain, clear).calls.get('c')!)).toBe(false)
  expect(folded(...upToStart, uncertain, clear).uncertain.size).toBe(0)
})

test('a narrower mode ends what was approved under the wider one; refusals and equal modes do not', () => {
  const narrow: Event = { type: 'mode.changed', mode: 'read_only', by }
  const wide: Event = { type: 'mode.changed', mode: 'auto', by }
  expect(folded(...upToStart, narrow).remembered).toEqual([])
  expect(folded(...upToStart, wide).remembered).toHaveLength(1)
  const refusal: Event = { ...denied, scope: 'session' }
  expect(folded(session, run, answer, proposed, asked, refusal, narrow).remembered).toHaveLength(1)
})

test('the rows that a batch changes are the same as those made anew from the whole log', () => {
  const events = [...upToStart, uncertain].map((event, at) => ({ at, event }))
  const state = newSessionState()
  const latest = new Map<string, unknown>()
  for (const event of events) {
    const draft = fold(state, [event])
    for (const row of rowsOf(draft, 'session:s')) latest.set(`${row.kind} ${row.id}`, row)
    draft.commit()
  }
  const anew = new Map(
    rowsOf(fold(newSessionState(), events), 'session:s').map((row) => [`${row.kind} ${row.id}`, row]),
  )
  expect(Object.fromEntries(latest)).toEqual(Object.fromEntries(anew))
  expect(latest.get('ticket t')).toMatchObject({ status: 'decided', data: { tool: 'pay', digest: 'd1' } })
  expect(latest.get('call c')).toMatchObject({ status: 'uncertain' })
})
