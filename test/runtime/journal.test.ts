import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newSessionState } from '../../src/core/run/draft.ts'
import { fold } from '../../src/core/run/fold.ts'
import {
  type Append,
  type AppendResult,
  type Event,
  type LeaseProof,
  memoryStore,
  type Store,
  type StoredEvent,
} from '../../src/index.ts'
import { Journal, sessionStream } from '../../src/runtime/journal.ts'
import { manualClock } from '../../src/testing.ts'

const stream = sessionStream('s')
const by = { id: 'u', method: 'library' }

/** A store whose next append can be made to fail. */
function failingStore(store: Store): { store: Store; failNext(): void; appends: Append[] } {
  let isFailing = false
  const appends: Append[] = []
  const append = async (what: Append): Promise<AppendResult> => {
    if (isFailing) {
      isFailing = false
      throw new Error('the disk is full')
    }
    const result = await store.append(what)
    if (result.ok) appends.push(what)
    return result
  }
  const guarded = new Proxy(store, {
    get: (target, key) => {
      if (key === 'append') return append
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    store: guarded,
    appends,
    failNext: () => {
      isFailing = true
    },
  }
}

async function leaseOf(store: Store, owner: string): Promise<LeaseProof> {
  const lease = await store.acquireLease(stream, owner, 1_000, Number.MAX_SAFE_INTEGER - 10_000)
  if (lease === undefined) throw new Error('no lease')
  return lease
}

/** Starts a session with one run in it, driven under the lease. */
async function begun(store: Store) {
  const clock = manualClock()
  const first = new Journal(store, 's', clock)
  await first.write(() => [{ type: 'session.started', session: 's', subject: '', agent: 'a' } as Event])
  const lease = await leaseOf(store, 'one')
  await first.write(
    () => [
      { type: 'run.started', run: 'r', model: 'm', stepsMax: 99_999, callsMax: 99_999 } as Event,
      { type: 'message.added', run: 'r', message: { role: 'user', text: 'go' } } as Event,
    ],
    lease,
  )
  return { first, lease, clock }
}

const usage = (run: string): Event => ({
  type: 'usage.recorded',
  run,
  step: 0,
  usage: { inputTokens: 1, outputTokens: 1 },
})
const modeChanged = (mode: 'ask' | 'auto'): Event => ({ type: 'mode.changed', mode, by })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('what protects no effect', () => {
  test('is folded at once, told to nobody before it is stored, and stored by the end of the turn', async () => {
    const { store, appends } = failingStore(memoryStore())
    const { first, lease } = await begun(store)
    const told: StoredEvent[] = []
    first.listen((event) => told.push(event))
    const before = appends.length
    await first.write(() => [usage('r')], lease)
    await first.write(() => [usage('r')], lease)
    expect(first.state.runs.get('r')?.usage).toMatchObject({ inputTokens: 2 })
    expect(told).toEqual([])
    expect(await store.read(stream, { after: 3 })).toEqual([])
    await turn()
    await turn()
    expect(appends.length).toBe(before + 1)
    expect(told).toEqual(await store.read(stream, { after: 3 }))
    expect(told.map(({ sequence }) => sequence)).toEqual([4, 5])
  })

  test('goes into the same append as the next claim or fact', async () => {
    const { store, appends } = failingStore(memoryStore())
    const { first, lease } = await begun(store)
    const before = appends.length
    await first.write(() => [usage('r')], lease)
    await first.write(() => [modeChanged('auto')])
    expect(appends.length).toBe(before + 1)
    expect(await store.read(stream, { after: 3 })).toHaveLength(2)
  })

  test('is not lost when the store fails for a moment, and whoever writes next is told of a failure that lasts', async () => {
    const { store, failNext } = failingStore(memoryStore())
    const { first, lease } = await begun(store)
    failNext()
    await first.write(() => [usage('r')], lease)
    await turn()
    await turn()
    expect(await store.read(stream, { after: 3 })).toEqual([])
    failNext()
    await expect(first.write(() => [usage('r')], lease)).rejects.toThrow('the disk is full')
    await first.write(() => [usage('r')], lease)
    expect(await store.read(stream, { after: 3 })).toHaveLength(2)
    expect(first.state.sequence).toBe(5)
  })

  test('is given up with the lease: the state is what the store says, and no further claim is made', async () => {
    const { store } = failingStore(memoryStore())
    const { first, lease } = await begun(store)
    await first.write(() => [usage('r')], lease)
    await store.releaseLease(lease)
    await leaseOf(store, 'two')
    const held: string[] = []
    first.afterStored(() => held.push('done'))
    await turn()
    await turn()
    expect(first.state.sequence).toBe(3)
    expect(first.state.runs.get('r')?.usage).toEqual({})
    expect(held).toEqual(['done'])
    await expect(first.write(() => [usage('r')], lease)).rejects.toMatchObject({ code: 'LEASE_LOST' })
    await first.write(() => [modeChanged('auto')])
    expect(await store.read(stream, { after: 3 })).toMatchObject([{ event: { type: 'mode.changed' } }])
  })

  test('is given up where it no longer follows from what another process has written; the rest of it stays', async () => {
    const store = memoryStore()
    const { first, lease, clock } = await begun(store)
    const second = await Journal.open(store, 's', clock)
    const told: string[] = []
    first.listen(({ event }) => told.push(event.type))
    await first.write(() => [usage('r')], lease)
    const held: string[] = []
    first.afterStored(() => held.push('done'))
    await second.write(() => [{ type: 'run.ended', run: 'r', status: 'cancelled', text: '' } as Event])
    await first.write(() => [modeChanged('auto')])
    expect((await store.read(stream, { after: 3 })).map(({ event }) => event.type)).toEqual([
      'run.ended',
      'mode.changed',
    ])
    expect(told).toEqual(['run.ended', 'mode.changed'])
    expect(held).toEqual(['done'])
    await second.refresh()
    expect(first.state).toEqual(second.state)
  })

  test('waits with what is to be done after it, in order', async () => {
    const { first, lease } = await begun(memoryStore())
    const seen: unknown[] = []
    first.listen(({ event }) => seen.push(event.type))
    first.afterStored(() => seen.push('at once'))
    await first.write(() => [usage('r')], lease)
    first.afterStored(() => seen.push('between'))
    await first.write(() => [modeChanged('ask')])
    first.afterStored(() => seen.push('after'))
    expect(seen).toEqual(['at once', 'usage.recorded', 'between', 'mode.changed', 'after'])
  })
})

type Action =
  | { readonly kind: 'ahead'; readonly count: number }
  | { readonly kind: 'fact' | 'foreign' | 'turn' | 'refresh' | 'stored' | 'foreignRefresh' | 'failure' }

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('ahead' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constantFrom('fact', 'foreign', 'turn', 'refresh', 'stored', 'foreignRefresh', 'failure'),
  }),
)

test('however two processes write at once, the log has no gap, everybody is told each event once in order, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 1, maxLength: 40 }), async (plan) => {
      const { store, failNext } = failingStore(memoryStore())
      const { first, lease, clock } = await begun(store)
      const second = await Journal.open(store, 's', clock)
      const told: [StoredEvent[], StoredEvent[]] = [[], []]
      first.listen((event) => told[0].push(event))
      second.listen((event) => told[1].push(event))
      let written = 3
      const waiting: Promise<unknown>[] = []
      const failed = (count: number) => () => {
        written -= count
      }
      for (const action of plan) {
        if (action.kind === 'ahead') {
          written += action.count
          waiting.push(
            first
              .write(() => Array.from({ length: action.count }, () => usage('r')), lease)
              .catch(failed(action.count)),
          )
        } else if (action.kind === 'fact' || action.kind === 'foreign') {
          written += 1
          const journal = action.kind === 'fact' ? first : second
          waiting.push(journal.write(() => [modeChanged('auto')]).catch(failed(1)))
        } else if (action.kind === 'turn') await turn()
        else if (action.kind === 'refresh') waiting.push(first.refresh().catch(() => undefined))
        else if (action.kind === 'stored') waiting.push(first.stored().catch(() => undefined))
        else if (action.kind === 'foreignRefresh') waiting.push(second.refresh().catch(() => undefined))
        else failNext()
      }
      await Promise.all(waiting)
      await turn()
      await first.refresh().catch(() => first.refresh())
      await second.refresh().catch(() => second.refresh())
      const log = await store.read(stream)
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_event, index) => index + 1))
      expect(log).toHaveLength(written)
      const whole = newSessionState()
      fold(whole, log).commit()
      for (const [index, journal] of [first, second].entries()) {
        expect(journal.state).toEqual(whole)
        expect(told[index]).toEqual(log.slice(3))
      }
    }),
    { numRuns: 300 },
  )
})
