import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Driver } from '../../../src/core/driver.ts'
import { scriptedModel } from '../../../src/index.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost } from '../../../src/server/host.ts'
import { Slots } from '../../../src/server/runs/slots.ts'
import type { Who } from '../../../src/server/who.ts'
import { manualClock } from '../../../src/testing.ts'
import { mortal } from '../../support/places.ts'
import { eventually, request as lookingUp } from '../support/embedded-host.ts'

const idleMs = 1_000
const request = { provider: 'double', model: 'small', idleTimeoutMs: idleMs }

/** A host with room for one run, whose model is silent for as many milliseconds as the input says. */
function narrowHost(concurrentRuns = 1) {
  const clock = manualClock()
  const model: Driver = {
    name: 'slow',
    async *propose({ messages }, signal) {
      const input = messages.find(({ role }) => role === 'user')
      await clock.sleep(Number(JSON.stringify(input).match(/wait (\d+)/)?.[1]), signal)
      yield { type: 'text', delta: 'done' }
      yield { type: 'finish', reason: 'stop', parts: [{ kind: 'text', text: 'done' }], usage: {} }
    },
  }
  const host = createHost({
    providers: { double: { models: { small: model } } },
    limits: { concurrentRuns, concurrentRunsPerSubject: 100, queue: { total: 100, perSubject: 100 } },
    parts: { clock, ...mortal() },
  })
  return { clock, host }
}

async function endOf(stream: AsyncIterable<RunEvent>): Promise<RunEvent | undefined> {
  let last: RunEvent | undefined
  for await (const event of stream) last = event
  return last
}

/** Lets everything happen that no time is needed for. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('waiting for a turn', () => {
  test('is no idle time, however long; the whole time begins with the turn', async () => {
    const { clock, host } = narrowHost()
    const ends = [900, 900, 900, 1_100].map((ms) => endOf(host.stream({ ...request, input: `wait ${ms}` })))
    for (let ms = 0; ms < 4_000; ms += 100) {
      await settled()
      await clock.advance(100)
    }
    const told = (await Promise.all(ends)).map((end) => (end && 'error' in end ? end.error.code : end?.type))
    expect(told).toEqual(['run.completed', 'run.completed', 'run.completed', 'IDLE_TIMEOUT'])
  })

  test('of many runs, in whatever order and with whatever room, only those are idle whose model was silent', async () => {
    const silences = fc.array(fc.integer({ min: 1, max: 19 }), { minLength: 1, maxLength: 8 })
    const property = fc.asyncProperty(silences, fc.integer({ min: 1, max: 3 }), async (given, room) => {
      const { clock, host } = narrowHost(room)
      const waits = given.map((each) => each * 100 + 50)
      const ends = waits.map((ms) => endOf(host.stream({ ...request, input: `wait ${ms}` })))
      let isOver = false
      const all = Promise.all(ends).finally(() => {
        isOver = true
      })
      while (!isOver) {
        await settled()
        await clock.advance(100)
      }
      const isIdle = (await all).map((end) => end?.type === 'run.cancelled')
      expect(isIdle).toEqual(waits.map((ms) => ms > idleMs))
    })
    await fc.assert(property, { numRuns: 15 })
  }, 120_000)

  test('is none either when a run that waited for an application goes on', async () => {
    const clock = manualClock()
    const gate = Promise.withResolvers<void>()
    const script = scriptedModel(({ messages }) =>
      messages.some(({ role }) => role === 'tool') || JSON.stringify(messages).includes('hold')
        ? 'done'
        : { calls: [{ name: 'lookup', args: { query: 'a' } }] },
    )
    const model: Driver = {
      name: 'held',
      async *propose(asked, signal) {
        if (JSON.stringify(asked.messages).includes('hold')) await gate.promise
        yield* script.propose(asked, signal)
      },
    }
    const host = createHost({
      providers: { double: { models: { small: model } } },
      applicationTools: { enabled: true, requireApproval: false },
      limits: { concurrentRuns: 1 },
      parts: { clock, ...mortal() },
    })
    const first = reading(host.stream({ ...lookingUp, idleTimeoutMs: idleMs }))
    const { execution } = await first.has('tool.execution.requested')
    const { executionId, runId, call } = execution
    const second = reading(host.stream({ provider: 'double', model: 'small', input: 'hold' }))
    await second.has('run.started')
    await settled()
    expect(host.runs.load).toEqual({ active: 1, queued: 0 })
    await host.completeTool({ executionId, runId, callId: call.id, output: 'found' })
    await settled()
    await clock.advance(20 * idleMs)
    await settled()
    expect(first.events.at(-1)?.type).toBe('tool.completed')
    gate.resolve()
    await Promise.all([first.done, second.done])
    expect([first, second].map(({ events }) => events.at(-1)?.type)).toEqual([
      'run.completed',
      'run.completed',
    ])
  })
})

function reading(stream: AsyncIterable<RunEvent>) {
  const events: RunEvent[] = []
  const read = async () => {
    for await (const event of stream) events.push(event)
  }
  const has = <Type extends RunEvent['type']>(type: Type) =>
    eventually(() => events.find((event): event is Extract<RunEvent, { type: Type }> => event.type === type))
  return { events, has, done: read() }
}

describe('a caller who is asked for again', () => {
  const access = {
    ...{ providers: ['*'], tools: [], applicationTools: [], approveTools: ['a', 'b'] },
    ...{ sessions: [], reviewerGroups: [], administration: false },
  }
  const ann: Who = { subject: 'ann', group: 'desk', access }
  const failing = async () => Promise.reject(new Error('the directory is down'))

  /** How a run of his ends that had to wait. */
  async function after(askAgain: Who['askAgain']): Promise<unknown> {
    const { clock, host } = narrowHost()
    const first = endOf(host.stream({ ...request, input: 'wait 100' }))
    await settled()
    const asked: string[] = []
    const again = async () => {
      asked.push('again')
      return await askAgain?.()
    }
    const stream = host.stream({ ...request, input: 'wait 100' }, { ...ann, askAgain: again })
    const second = endOf(stream)
    await settled()
    expect(asked).toEqual([])
    for (let times = 0; times < 4; times += 1) {
      await clock.advance(100)
      await settled()
    }
    await first
    const end = await second
    expect(asked).toEqual(['again'])
    expect(host.runs.load).toEqual({ active: 0, queued: 0 })
    return end && 'error' in end ? [end.type, end.error.code, end.error.retryable] : end?.type
  }

  const changes: readonly (readonly [what: string, now: Who | undefined])[] = [
    ['nobody', undefined],
    ['another subject', { ...ann, subject: 'bob' }],
    ['no group', { subject: 'ann', access }],
    ['fewer grants', { ...ann, access: { ...access, approveTools: ['a'] } }],
    ['more grants', { ...ann, access: { ...access, administration: true } }],
    ['all grants', { subject: 'ann', group: 'desk' }],
  ]
  test.each(changes)('and is %s after the wait is refused before the model is asked', async (_, now) => {
    expect(await after(async () => now)).toEqual(['run.failed', 'FORBIDDEN', false])
  })

  test('and is the same, in whatever order his grants come, has his run', async () => {
    const now = { access: { ...access, approveTools: ['b', 'a'] }, group: 'desk', subject: 'ann' }
    expect(await after(async () => now)).toBe('run.completed')
  })

  test('and cannot be asked for is refused for now, without the reason', async () => {
    expect(await after(failing)).toEqual(['run.failed', 'AUTH_UNAVAILABLE', true])
  })

  test('is not asked for where nothing had to wait', async () => {
    const { clock, host } = narrowHost()
    const end = endOf(host.stream({ ...request, input: 'wait 100' }, { ...ann, askAgain: failing }))
    await settled()
    await clock.advance(100)
    expect((await end)?.type).toBe('run.completed')
  })
})

test('slots: a wait that is given up, or whose turn comes, says that it is over', async () => {
  const slots = new Slots({ concurrentRuns: 1, queue: { total: 2, perSubject: 2 } })
  const first = slots.admit('ann')
  const stop = new AbortController()
  const waiting = [slots.admit('ann'), slots.admit('ann')] as const
  const over: number[] = []
  for (const [at, { turn }] of waiting.entries()) turn.listen(() => over.push(at))
  const entered = waiting.map((slot) => slot.enter(stop.signal))
  expect(waiting.map(({ turn }) => turn.isAwaited)).toEqual([true, true])
  first.leave()
  await entered[0]
  expect([over, waiting.map(({ turn }) => turn.isAwaited)]).toEqual([[0], [false, true]])
  stop.abort(new Error('enough'))
  await expect(entered[1]).rejects.toThrow('enough')
  expect([over, waiting[1].turn.isAwaited]).toEqual([[0, 1], false])
  waiting[1].leave()
  waiting[0].leave()
  expect([slots.active, slots.queued]).toEqual([0, 0])
})
