import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { newSessionState } from '../../src/core/run/draft.ts'
import { fold } from '../../src/core/run/fold.ts'
import { rowsOf, sessionRow } from '../../src/core/run/rows.ts'
import type { SessionState } from '../../src/core/run/state.ts'
import { type IndexRow, isToolpostError, type Store, type StoredEvent } from '../../src/index.ts'
import { expectEndedWhole } from './ended-whole.ts'
import { changedLog, logChanges, share } from './log-change.ts'
import { logFaults } from './log-faults.ts'
import { playPlot } from './play-plot.ts'
import { plots } from './plot.ts'

type Entry = Pick<StoredEvent, 'at' | 'sequence' | 'event'>

function folded(...pieces: readonly (readonly Entry[])[]): SessionState {
  const state = newSessionState()
  for (const piece of pieces) fold(state, piece).commit()
  return state
}

function byKey(rows: readonly IndexRow[]): Map<string, IndexRow> {
  return new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
}

async function keptRows(store: Store): Promise<Map<string, IndexRow>> {
  const kinds = ['session', 'run', 'ticket', 'call'] as const
  const lists = await Promise.all(kinds.map((kind) => store.list({ kind, limit: 1_000 })))
  return byKey(lists.flat())
}

function rebuiltRows(stream: string, events: readonly Entry[]): Map<string, IndexRow> {
  const draft = fold(newSessionState(), events)
  return byKey([...sessionRow(draft, stream, events), ...rowsOf(draft, stream)])
}

describe('a session of any kind, with crashes, stops, answers and other modes in it', () => {
  const logs: StoredEvent[][] = []
  const seen = new Map<string, number>()

  beforeAll(async () => {
    await fc.assert(
      fc.asyncProperty(plots, fc.array(share, { maxLength: 4 }), async (plot, cuts) => {
        const { session, store } = await playPlot(plot)
        const events = [...(await session.events())]
        await expectEndedWhole(session, 'the plot')
        expect(logFaults(events)).toEqual([])
        const places = [
          0,
          ...cuts.map((cut) => Math.floor(cut * events.length)).sort((a, b) => a - b),
          events.length,
        ]
        const pieces = places.slice(1).map((end, index) => events.slice(places[index], end))
        expect(folded(...pieces)).toEqual(folded(events))
        expect(folded(...events.map((event) => [event]))).toEqual(folded(events))
        expect(await keptRows(store)).toEqual(rebuiltRows(events[0]!.stream, events))
        logs.push(events)
        for (const { event } of events) seen.set(event.type, (seen.get(event.type) ?? 0) + 1)
      }),
      { numRuns: 200 },
    )
  }, 120_000)

  test('folds alike in every piece and as a whole, and its rows are those that can be rebuilt', () => {
    expect(logs.length).toBeGreaterThanOrEqual(200)
  })

  test.each([
    'mode.changed',
    'call.refused',
    'call.cancelled',
    'approval.requested',
    'approval.edited',
    'approval.decided',
    'call.started',
    'call.completed',
    'call.failed',
    'call.reconciled',
    'usage.recorded',
  ])('has %s in it somewhere', (type) => {
    expect(seen.get(type) ?? 0).toBeGreaterThan(0)
  })

  test('whose log was changed is refused as ILLEGAL_EVENT, or every rule of a log still holds', () => {
    const outcomes = { refused: 0, taken: 0 }
    fc.assert(
      fc.property(fc.nat(), fc.array(logChanges, { minLength: 1, maxLength: 3 }), (which, changes) => {
        const log: readonly Entry[] = logs[which % logs.length]!
        const changed = changes.reduce<readonly Entry[]>((before, change) => changedLog(before, change), log)
        try {
          folded(changed)
        } catch (error) {
          outcomes.refused += 1
          expect(isToolpostError(error) && error.code, String(error)).toBe('ILLEGAL_EVENT')
          return
        }
        outcomes.taken += 1
        expect(logFaults(changed)).toEqual([])
      }),
      { numRuns: 20_000 },
    )
    expect(outcomes.refused).toBeGreaterThan(1_000)
    expect(outcomes.taken).toBeGreaterThan(100)
  })
})

test('the rules of a log are told from what breaks them', () => {
  const at = 0
  const run = { type: 'run.started', run: 'r', model: 'm', stepsMax: 1, callsMax: 1 } as const
  const session = { type: 'session.started', session: 's', subject: 'a', agent: 'h' } as const
  const ended = { type: 'run.ended', run: 'r', status: 'completed', text: '' } as const
  expect(
    logFaults([session, run, ended].map((event, index) => ({ at, sequence: index + 1, event }))),
  ).toEqual([])
  expect(
    logFaults([session, run, run].map((event, index) => ({ at, sequence: index + 1, event }))),
  ).toHaveLength(2)
  expect(
    logFaults([
      { sequence: 1, event: session },
      { sequence: 3, event: run },
    ]),
  ).toEqual(['3 stands where 2 should'])
})
