import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextMove } from '../../../src/core/move/next.ts'
import { newSessionState } from '../../../src/core/run/draft.ts'
import type { CallState, RunState, SessionState } from '../../../src/core/run/state.ts'

const statuses = ['proposed', 'asking', 'decided', 'started', 'ended'] as const

interface Sketch {
  readonly status: (typeof statuses)[number]
  readonly parallel: boolean
  readonly epoch: number
}

function stateOf(sketches: readonly Sketch[]): { state: SessionState; run: RunState } {
  const calls = sketches.map(({ status, parallel, epoch }, index): CallState => {
    const base = {
      id: `c${index}`,
      run: 'r',
      step: 1,
      index,
      name: 't',
      modelCallId: `m${index}`,
      argumentsText: '{}',
    }
    const end =
      status === 'ended' ? { end: { status: 'completed', kind: 'empty', text: { inline: '' } } as const } : {}
    return { ...base, parallel, status, attempt: 1, epoch, ...end }
  })
  const tickets = calls.filter(({ status }) => status === 'asking').map(({ id }) => `t-${id}`)
  const ids = calls.map(({ id }) => id)
  const run: RunState = {
    id: 'r',
    model: 'm',
    stepsMax: 9,
    callsMax: 99,
    step: 1,
    stepCalls: ids,
    callCount: ids.length,
    openTickets: tickets,
    usage: {},
    values: {},
    startedAt: 0,
  }
  const state = { ...newSessionState(), calls: new Map(calls.map((call) => [call.id, call])) }
  return { state, run }
}

const sketches = fc.array(
  fc.record({ status: fc.constantFrom(...statuses), parallel: fc.boolean(), epoch: fc.constantFrom(1, 2) }),
  { minLength: 1, maxLength: 8 },
)

test('a call of an owner that is gone is recovered before anything else is done', () => {
  fc.assert(
    fc.property(sketches, (given) => {
      const { state, run } = stateOf(given)
      const left = given.some(({ status, epoch }) => status === 'started' && epoch === 1)
      expect(nextMove(state, run, 2).move === 'recover').toBe(left)
    }),
  )
})

test('a serial call starts only when every earlier call of its step has ended, a parallel one only among parallel neighbours', () => {
  const mine = sketches.map((given) => given.map((sketch) => ({ ...sketch, epoch: 2 })))
  fc.assert(
    fc.property(mine, (given) => {
      const { state, run } = stateOf(given)
      const move = nextMove(state, run, 2)
      if (move.move !== 'start') return
      for (const call of move.calls) {
        const earlier = given.slice(0, call.index).filter(({ status }) => status !== 'ended')
        if (call.parallel) expect(earlier.every(({ parallel }) => parallel)).toBe(true)
        else expect(earlier).toEqual([])
      }
    }),
  )
})

test('no step is ever stuck: there is a call to start, one that runs, an ask that is open, or all have ended', () => {
  fc.assert(
    fc.property(sketches, (given) => {
      const { state, run } = stateOf(given)
      const move = nextMove(state, run, 2)
      if (move.move === 'start' || move.move === 'recover') expect(move.calls.length).toBeGreaterThan(0)
      if (move.move === 'rest') expect(move.tickets.length).toBeGreaterThan(0)
      if (move.move === 'model') expect(given.every(({ status }) => status === 'ended')).toBe(true)
    }),
  )
})
