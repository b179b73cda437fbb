import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import { type Move, nextMove } from '../../../src/core/move/next.ts'
import { countsIdle } from '../../../src/core/run/clocks.ts'
import { newSessionState } from '../../../src/core/run/draft.ts'
import { fold } from '../../../src/core/run/fold.ts'
import { rowsOf } from '../../../src/core/run/rows.ts'
import type { CallState, RunState, SessionState } from '../../../src/core/run/state.ts'
import { isUrgent } from '../../../src/core/run/urgent.ts'
import { isToolpostError } from '../../../src/index.ts'

const by = { id: 'shop', method: 'application' }
const decision = { verdict: 'run', reason: 'because', trace: [] } as const
const calls = ['c1', 'c2'] as const
const tickets = ['t1', 't2'] as const

const begun: readonly Event[] = [
  { type: 'session.started', session: 's', subject: 'ann', agent: 'a' },
  { type: 'run.started', run: 'r', model: 'm', stepsMax: 9, callsMax: 9 },
  {
    type: 'message.added',
    run: 'r',
    message: { role: 'assistant', step: 1, parts: [], finish: 'calls' },
  },
  ...calls.map(
    (call, index): Event => ({
      type: 'call.proposed',
      run: 'r',
      step: 1,
      call,
      index,
      modelCallId: call,
      name: 'look',
      argumentsText: '{}',
      parallel: true,
      accepted: { args: {}, digest: `d-${call}`, version: 'v' },
    }),
  ),
]

const started = (call: string, attempt = 1, epoch = 1): Event => {
  const facts = { digest: `d-${call}`, toolClass: 'read' as const, decision }
  return { type: 'call.started', call, attempt, epoch, ...facts }
}
const requested = (call: string, ticket: string, digest = `d-${call}`): Event => {
  return { type: 'execution.requested', call, ticket, digest }
}
const outcome = { status: 'completed', kind: 'empty', text: { inline: '' } } as const
const failure = { status: 'failed', code: 'cancelled', message: 'no', effect: 'none' } as const
const completed = (call: string, more: object = { by, result: { digest: 'x' } }): Event => {
  return { type: 'call.completed', call, outcome, tries: 1, durationMs: 0, ...more }
}
const failed = (call: string, more: object = {}): Event => {
  return { type: 'call.failed', call, outcome: failure, tries: 1, durationMs: 0, ...more }
}

function folded(...events: readonly Event[]): SessionState {
  const state = newSessionState()
  fold(
    state,
    [...begun, ...events].map((event, at) => ({ at, event })),
  ).commit()
  return state
}

const refusal = (...events: readonly Event[]) => {
  try {
    folded(...events)
  } catch (error) {
    return isToolpostError(error) ? `${error.code}: ${error.message}` : String(error)
  }
  return 'taken'
}

const runOf = (state: SessionState) => state.runs.get('r') as RunState
const moveOf = (state: SessionState, epoch = 1): Move => nextMove(state, runOf(state), epoch)

const out = [started('c1'), requested('c1', 't1')]

test('a claimed call is handed out by a ticket, which its outcome redeems', () => {
  const state = folded(...out)
  expect(state.calls.get('c1')).toMatchObject({ status: 'handed_out', execution: { ticket: 't1' } })
  expect(runOf(state).openTickets).toEqual(['t1'])
  expect(state.tickets.get('t1')).toMatchObject({ kind: 'execution', digest: 'd-c1', remember: 'none' })
  const after = folded(...out, completed('c1', { by, result: { key: 'k', digest: 'x' } }))
  expect(runOf(after).openTickets).toEqual([])
  expect(after.tickets.get('t1')?.decided).toMatchObject({ approved: true, by })
  expect(after.calls.get('c1')?.execution).toEqual({ ticket: 't1', by, result: { key: 'k', digest: 'x' } })
})

test('a ticket of a call that ended without a result is closed by the runtime', () => {
  const state = folded(...out, failed('c1'))
  expect(state.tickets.get('t1')?.decided).toMatchObject({ approved: false, category: 'cancelled' })
  expect(state.calls.get('c1')?.execution).toEqual({ ticket: 't1' })
})

test('what does not follow from a claim and its ticket is refused', () => {
  expect(refusal(requested('c1', 't1'))).toContain('ILLEGAL_EVENT')
  expect(refusal(started('c1'), requested('c1', 't1', 'other'))).toContain('other arguments')
  expect(refusal(started('c1'), requested('c1', ''))).toContain('no id')
  expect(refusal(...out, started('c2'), requested('c2', 't1'))).toContain('exists')
  expect(refusal(...out, requested('c1', 't2'))).toContain('handed_out')
  expect(refusal(...out, started('c1', 2, 2))).toContain('handed_out')
  expect(refusal(...out, { type: 'call.cancelled', call: 'c1', message: '' })).toContain('handed_out')
  expect(refusal(...out, { type: 'call.rested', call: 'c1', until: 1 })).toContain('handed_out')
  expect(refusal(...out, completed('c1', {}))).toContain('Nobody gave')
  expect(refusal(started('c1'), completed('c1'))).toContain('was not handed out')
  expect(refusal(...out, { type: 'run.ended', run: 'r', status: 'completed', text: '' })).toContain(
    'has not ended',
  )
})

test('the ticket, and the outcome that redeems it, hold before anybody is told, also of a read', () => {
  const state = folded(...out)
  expect(isUrgent(folded(started('c1')), requested('c1', 't1'))).toBe(true)
  expect(isUrgent(state, completed('c1'))).toBe(true)
  expect(isUrgent(folded(started('c1')), completed('c1', {}))).toBe(false)
})

test('a call that is out is left alone by the next owner, and rests with its ticket', () => {
  const state = folded(...out, started('c2'), completed('c2', {}))
  for (const epoch of [1, 2])
    expect(moveOf(state, epoch)).toEqual({ move: 'rest', tickets: ['t1'], resting: [] })
  expect(moveOf(folded(...out)).move).toBe('start')
})

test('idle time counts while a call is out, and not while a person is asked beside it', () => {
  const run = { ...runOf(folded(...out)), idle: { timeoutMs: 1, whileAsking: 'pause' as const } }
  const of = (state: SessionState) => calls.map((id) => state.calls.get(id))
  expect(countsIdle(run, of(folded(...out)))).toBe(true)
  const ask: Event = {
    type: 'approval.requested',
    ticket: 'ask',
    call: 'c2',
    digest: 'd-c2',
    toolClass: 'write',
    decision,
    remember: 'none',
  }
  expect(countsIdle(run, of(folded(...out, ask)))).toBe(false)
})

const steps: fc.Arbitrary<Event> = fc
  .record({
    call: fc.constantFrom(...calls),
    ticket: fc.constantFrom(...tickets),
    kind: fc.constantFrom(
      'start',
      'start',
      'again',
      'out',
      'out',
      'out',
      'done',
      'done',
      'alone',
      'fail',
      'cancel',
      'late',
      'end',
    ),
  })
  .map(({ call, ticket, kind }): Event => {
    if (kind === 'start') return started(call)
    if (kind === 'again') return started(call, 2, 2)
    if (kind === 'out') return requested(call, ticket)
    if (kind === 'done') return completed(call)
    if (kind === 'alone') return completed(call, {})
    if (kind === 'fail') return failed(call)
    if (kind === 'cancel') return { type: 'call.cancelled', call, message: 'no' }
    if (kind === 'late') return { type: 'call.late', call, outcome, by }
    return { type: 'run.ended', run: 'r', status: 'cancelled', text: '' }
  })

/** What has to hold of every state: a call is out exactly while its one ticket is open. */
function expectTicketsAndCallsAgree(state: SessionState): void {
  const outside = [...state.calls.values()].filter(({ status }) => status === 'handed_out')
  const open = [...state.tickets.values()].filter(({ decided }) => decided === undefined)
  expect(open.map(({ id }) => id).sort()).toEqual(outside.map(({ execution }) => execution?.ticket).sort())
  expect([...runOf(state).openTickets].sort()).toEqual(open.map(({ id }) => id).sort())
  if (runOf(state).ended !== undefined) expect(open).toEqual([])
  for (const { execution, end } of state.calls.values() as Iterable<CallState>) {
    if (execution === undefined || end === undefined) continue
    const { approved } = state.tickets.get(execution.ticket)?.decided ?? {}
    expect(approved).toBe(end.status === 'completed')
    expect(execution.by === undefined).toBe(end.status !== 'completed')
  }
}

test('whatever events come, in whatever order: a call is out exactly while its ticket is open, and each ends once', () => {
  const reached = { out: 0, redeemed: 0 }
  fc.assert(
    fc.property(fc.array(steps, { minLength: 5, maxLength: 30 }), (events) => {
      const state = newSessionState()
      fold(
        state,
        begun.map((event) => ({ at: 0, event })),
      ).commit()
      let taken: Event | undefined
      for (const event of events) {
        const ends = new Map([...state.calls].map(([id, { end }]) => [id, end]))
        try {
          const draft = fold(state, [{ at: 1, event }])
          const rows = rowsOf(draft, 'session:s')
          draft.commit()
          taken = event
          const isOpen = runOf(state).openTickets.length > 0
          const row = rows.find(({ kind }) => kind === 'run')
          if (row !== undefined && runOf(state).ended === undefined)
            expect(row.status).toBe(isOpen ? 'waiting' : 'open')
        } catch (error) {
          expect(isToolpostError(error) && error.code, String(error)).toBe('ILLEGAL_EVENT')
        }
        for (const [id, end] of ends) if (end !== undefined) expect(state.calls.get(id)?.end).toBe(end)
        expectTicketsAndCallsAgree(state)
        if (event.type === 'execution.requested' && taken === event) reached.out += 1
        if (event.type === 'call.completed' && event.by !== undefined && taken === event)
          reached.redeemed += 1
      }
    }),
    { numRuns: 2_000 },
  )
  expect(reached.out).toBeGreaterThan(500)
  expect(reached.redeemed).toBeGreaterThan(50)
})
