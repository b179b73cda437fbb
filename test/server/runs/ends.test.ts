import { describe, expect, test } from 'vitest'
import { memoryStore, scriptedModel, tool } from '../../../src/index.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost, type Host } from '../../../src/server/host.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'
import { manualClock } from '../../../src/testing.ts'
import { mortal } from '../../support/places.ts'
import { baseline, baselineHost, oneLookup, typesOf } from '../support/baseline.ts'

function clocked(over: Partial<HostOptions> = {}) {
  const clock = manualClock()
  return { clock, host: baselineHost({ parts: { clock, ...mortal() }, ...over }) }
}

/** Reads a stream into a list, from the side. */
function reading(host: Host, request: unknown, signal?: AbortSignal) {
  const events: RunEvent[] = []
  const done = (async () => {
    for await (const event of host.stream(request, signal === undefined ? {} : { signal })) events.push(event)
  })()
  done.catch(() => undefined)
  const has = async (type: string) => {
    while (!events.some((event) => event.type === type)) await new Promise((resolve) => setImmediate(resolve))
    return events.find((event) => event.type === type) as never
  }
  return { events, done, has }
}

type Asked = Extract<RunEvent, { type: 'tool.execution.requested' }>

async function sessionOf(host: Host, { runId }: { runId: string }) {
  return (await host.runs.find(runId, {})).session
}

describe('without an idle timeout', () => {
  test('seven days of silence in a function are no reason to end, and nobody makes progress up [application/F1]', async () => {
    const clock = manualClock()
    const store = memoryStore()
    const make = () => baselineHost({ store, parts: { clock, ...mortal() } })
    const first = make()
    const before = reading(first, { ...baseline, onDisconnect: 'keep' })
    const { execution }: Asked = await before.has('tool.execution.requested')
    await clock.advance(3_600_000)
    // Nobody has to keep a process up for it.
    await first.close()
    await clock.advance(7 * 86_400_000)
    const host = make()
    await host.recover()
    const session = await sessionOf(host, execution)
    await session.redeem(execution.executionId, { output: { passages: ['late'] } })
    const events: RunEvent[] = []
    for await (const { event } of await host.followRun(execution.runId, undefined)) events.push(event)
    expect(events.at(-1)?.type).toBe('run.completed')
    expect(typesOf(events)).not.toContain('run.progress')
  })
})

describe('with an idle timeout', () => {
  test('progress in time keeps a run alive, and shows at most once a second [application/F2] [application-tools/progress-coalesced]', async () => {
    const { clock, host } = clocked()
    const { events, done, has } = reading(host, { ...baseline, idleTimeoutMs: 10 })
    const { execution }: Asked = await has('tool.execution.requested')
    const session = await sessionOf(host, execution)
    const [call] = [...session.state.calls.keys()] as [string]
    for (let count = 1; count <= 20; count += 1) {
      await clock.advance(9)
      expect(session.reportProgress(call, { message: `${count}`, fraction: count / 20 })).toBe(true)
    }
    await session.redeem(execution.executionId, { output: { passages: [] } })
    await done
    const after = events.slice(events.findIndex(({ type }) => type === 'tool.execution.requested') + 1)
    expect(after[0]).toMatchObject({
      type: 'run.progress',
      phase: 'tool',
      callId: 'lookup-one',
      message: '1',
    })
    expect(after[1]).toMatchObject({ type: 'run.progress', message: '20', fraction: 1 })
    expect(after[2]).toMatchObject({ type: 'tool.completed' })
    expect(events.at(-1)?.type).toBe('run.completed')
  })

  test.each([
    ['0', { idleTimeoutMs: 0 }],
    ['more', { idleTimeoutMs: 1_000 }],
  ])('a request with %s does not lift the host’s [application/F6]', async (_what, change) => {
    const { clock, host } = clocked({ limits: { idleTimeoutMs: 20 } })
    const { events, done, has } = reading(host, { ...baseline, ...change })
    await has('tool.execution.requested')
    await clock.advance(20)
    await done
    expect(events.at(-1)).toMatchObject({
      type: 'run.cancelled',
      error: { code: 'IDLE_TIMEOUT', retryable: false, outcome: 'uncertain' },
    })
  })

  test('a model that says nothing is idle, and may be asked again later', async () => {
    const silent = {
      name: 'silent',
      propose: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
    }
    const clock = manualClock()
    const host = createHost({
      providers: { double: { models: { small: silent as never } } },
      parts: { clock, ...mortal() },
    })
    const { events, done, has } = reading(host, {
      provider: 'double',
      model: 'small',
      input: 'x',
      idleTimeoutMs: 20,
    })
    await has('run.started')
    await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(20)
    await done
    expect(events.at(-1)).toMatchObject({
      type: 'run.cancelled',
      error: { code: 'IDLE_TIMEOUT', retryable: true },
    })
  })
})

describe('a reader who leaves', () => {
  test('ends the run with its tickets, and frees their room [application/F8]', async () => {
    const host = baselineHost({ applicationTools: { enabled: true, requireApproval: false, maxPending: 1 } })
    const stream = host.stream(baseline)
    let asked: Asked['execution'] | undefined
    while (asked === undefined) {
      const { value } = await stream.next()
      if (value?.type === 'tool.execution.requested') asked = value.execution
    }
    const pending = stream.next()
    await stream.return()
    await pending
    const session = await sessionOf(host, asked)
    await expect(session.redeem(asked.executionId, { output: { passages: [] } })).rejects.toMatchObject({
      code: 'TICKET_NOT_FOUND',
    })
    expect(session.state.runs.get(asked.runId)?.ended).toMatchObject({ status: 'cancelled' })
    expect(host.runs.executions.size).toBe(0)
    expect(host.runs.load).toEqual({ active: 0, queued: 0 })
  })

  test('before anything happened has asked no model, and neither has one who was stopped before [application/F10]', async () => {
    const asked = { count: 0 }
    const host = baselineHost({}, oneLookup, asked)
    for await (const event of host.stream(baseline)) {
      expect(event.type).toBe('run.started')
      break
    }
    const stopped = host.stream(baseline, { signal: AbortSignal.abort() })
    await expect(stopped.next()).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(asked.count).toBe(0)
  })

  test('leaves the run to itself when it asked for that, and can come back', async () => {
    const host = baselineHost()
    const seen: { event: RunEvent; id: string }[] = []
    for await (const sent of await host.startRun({ ...baseline, onDisconnect: 'keep' })) {
      seen.push(sent)
      if (sent.event.type === 'tool.execution.requested') break
    }
    const last = seen.at(-1) as (typeof seen)[number]
    const { execution } = last.event as Asked
    const session = await sessionOf(host, execution)
    await session.redeem(execution.executionId, { output: { passages: ['kept'] } })
    const rest: RunEvent[] = []
    for await (const { event } of await host.followRun(execution.runId, last.id)) rest.push(event)
    expect(rest.map(({ sequence }) => sequence)).toEqual(
      rest.map((_, index) => last.event.sequence + 1 + index),
    )
    expect(typesOf(rest)).toEqual(['tool.completed', 'step.started', 'text.delta', 'run.completed'])
    const all: RunEvent[] = []
    for await (const { event } of await host.followRun(execution.runId, undefined)) all.push(event)
    expect(typesOf(all)).toEqual([...typesOf(seen.map(({ event }) => event)), ...typesOf(rest)])
  })
})

describe('a run that ends while a function is out says that nobody knows what it did', () => {
  const out = async (host: Host, change: object = {}) => {
    const read = reading(host, { ...baseline, ...change })
    const { execution }: Asked = await read.has('tool.execution.requested')
    return { ...read, execution }
  }
  type Out = Awaited<ReturnType<typeof out>>
  const endings: readonly (readonly [
    what: string,
    code: string,
    end: (host: Host, run: Out, clock: ReturnType<typeof manualClock>) => Promise<unknown>,
  ])[] = [
    ['it was cancelled', 'CANCELLED', (host, { execution }) => host.cancelRun(execution.runId)],
    ['nothing happened', 'IDLE_TIMEOUT', (_host, _run, clock) => clock.advance(50)],
    ['its host closes', 'CANCELLED', (host) => host.close()],
    ['its session was deleted', 'SESSION_DELETED', (host) => host.deleteSession({ id: 'talk' })],
  ]
  test.each(endings)('when %s [application-tools/other-endings-uncertain]', async (_what, code, end) => {
    const { clock, host } = clocked({ limits: { idleTimeoutMs: 50 } })
    await host.createSession({ provider: 'double', id: 'talk' })
    const run = await out(host, { session: { id: 'talk' } })
    await Promise.all([end(host, run, clock), run.done])
    expect(run.events.at(-1)).toMatchObject({
      type: 'run.cancelled',
      error: { code, outcome: 'uncertain', retryable: false },
    })
  })

  test('when its reader has left [application-tools/other-endings-uncertain]', async () => {
    const host = baselineHost()
    const stop = new AbortController()
    const read = reading(host, baseline, stop.signal)
    const { execution }: Asked = await read.has('tool.execution.requested')
    stop.abort()
    await read.done.catch(() => undefined)
    await host.runs.liveRun(execution.runId)?.done
    expect(await host.runStatus(execution.runId)).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED', outcome: 'uncertain' },
    })
  })

  test('when a call beside it failed, by the strict endings: then it has failed and was not cancelled [application-tools/other-endings-uncertain] [application-tools/wire-terminal]', async () => {
    const two = ['one', 'two'].map((id) => ({ id, name: 'lookup', args: { query: id } }))
    const host = baselineHost({}, two)
    const run = await out(host, { onToolFailure: 'fail' })
    const { executionId, runId, call } = run.execution
    await host.completeTool({ executionId, runId, callId: call.id, error: 'APPLICATION_TOOL_FAILED' })
    await run.done
    expect(run.events.at(-1)).toMatchObject({
      type: 'run.failed',
      error: { code: 'TOOL_OUTCOME_UNCERTAIN', outcome: 'uncertain' },
    })
  })
})

test('a text that is broken off goes on where the reader was', async () => {
  const words = ['one ', 'two ', 'three ', 'four']
  const gate = Promise.withResolvers<void>()
  const model = {
    name: 'slow',
    async *propose() {
      for (const [index, delta] of words.entries()) {
        if (index === 2) await gate.promise
        yield { type: 'text' as const, delta }
      }
      yield {
        type: 'finish' as const,
        reason: 'stop' as const,
        parts: [{ kind: 'text' as const, text: words.join('') }],
        usage: {},
      }
    },
  }
  const host = createHost({ providers: { double: { models: { small: model } } } })
  const stream = await host.startRun({ provider: 'double', model: 'small', input: 'x', onDisconnect: 'keep' })
  let last = ''
  for await (const { event, id } of stream) {
    last = id
    if (event.type === 'text.delta' && event.text === 'one ') break
  }
  const again = await host.followRun(stream.runId, last)
  gate.resolve()
  let text = ''
  let ended: string | undefined
  for await (const { event } of again) {
    if (event.type === 'text.delta') text += event.text
    ended = event.type
  }
  expect(text).toBe('two three four')
  expect(ended).toBe('run.completed')
})

test("a host's own tool that throws after its effect tells the model by default; its private text never leaves a strict run [application/G1]", async () => {
  const effects: string[] = []
  const own = tool({
    name: 'own',
    description: 'Acts and breaks',
    execute: () => {
      effects.push('done')
      throw new Error('the password is swordfish')
    },
  })
  const calls = [{ id: 'one', name: 'own' }]
  const request = { provider: 'double', model: 'small', input: 'x', tools: ['own'] }
  const host = baselineHost({ tools: [own] }, calls)
  const strict = reading(host, { ...request, onToolFailure: 'fail' })
  await strict.done
  expect(strict.events.at(-1)).toMatchObject({
    type: 'run.failed',
    error: { code: 'TOOL_OUTCOME_UNCERTAIN', outcome: 'uncertain' },
  })
  expect(JSON.stringify(strict.events)).not.toContain('swordfish')
  const told = reading(host, request)
  await told.done
  expect(told.events.at(-1)?.type).toBe('run.completed')
  expect(effects).toHaveLength(2)
})

describe('room for runs', () => {
  test('a second run of a subject is BUSY while the first works, and takes its turn when it waits [application/H7]', async () => {
    const host = baselineHost({ limits: { concurrentRunsPerSubject: 1 } })
    const first = host.stream(baseline)
    await first.next()
    await expect(host.stream(baseline).next()).rejects.toMatchObject({
      code: 'BUSY',
      status: 429,
      retryable: true,
    })
    expect((await host.stream(baseline, { subject: 'other' }).next()).value).toMatchObject({
      type: 'run.started',
    })
    for (let type = ''; type !== 'tool.execution.requested'; )
      type = (await first.next()).value?.type ?? 'over'
    expect((await host.stream(baseline).next()).value).toMatchObject({ type: 'run.started' })
  })

  test('a queue lets a run begin and wait, up to its bound [application/H9]', async () => {
    const model = scriptedModel(() => 'done')
    const gate = Promise.withResolvers<void>()
    const held = {
      name: 'held',
      async *propose(...asked: Parameters<typeof model.propose>) {
        await gate.promise
        yield* model.propose(...asked)
      },
    }
    const host = createHost({
      providers: { double: { models: { small: held } } },
      limits: { concurrentRuns: 1, queue: { total: 1, perSubject: 1 } },
    })
    const request = { provider: 'double', model: 'small', input: 'x' }
    const first = reading(host, request)
    await first.has('run.started')
    const second = reading(host, request)
    await second.has('run.started')
    expect(host.runs.load).toEqual({ active: 1, queued: 1 })
    await expect(host.stream(request).next()).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    gate.resolve()
    await Promise.all([first.done, second.done])
    expect(second.events.at(-1)?.type).toBe('run.completed')
    expect(host.runs.load).toEqual({ active: 0, queued: 0 })
  })

  test('closing lets nothing new in, ends what ends with its reader, and leaves the rest in the store [application/H10]', async () => {
    const host = baselineHost()
    const ending = reading(host, baseline)
    await ending.has('tool.execution.requested')
    const kept = reading(host, { ...baseline, onDisconnect: 'keep' })
    const { execution }: Asked = await kept.has('tool.execution.requested')
    await host.close()
    await ending.done
    await kept.done.catch(() => undefined)
    expect(ending.events.at(-1)).toMatchObject({
      type: 'run.cancelled',
      error: { code: 'CANCELLED', outcome: 'uncertain' },
    })
    await expect(host.stream(baseline).next()).rejects.toMatchObject({ code: 'HOST_SHUTTING_DOWN' })
    const session = await sessionOf(host, execution)
    expect(session.state.openRun).toBe(execution.runId)
    expect(host.runs.load).toEqual({ active: 0, queued: 0 })
  })

  test('executions beyond their bound are refused, and those before them are unharmed [application/C17]', async () => {
    const host = baselineHost({ applicationTools: { enabled: true, requireApproval: false, maxPending: 1 } })
    const first = reading(host, baseline)
    const { execution }: Asked = await first.has('tool.execution.requested')
    const second = reading(host, { ...baseline, onToolFailure: 'fail' })
    await second.done
    expect(second.events.at(-1)).toMatchObject({
      type: 'run.failed',
      error: { code: 'TOOL_EXECUTOR_CAPACITY', retryable: true },
    })
    expect(typesOf(second.events)).not.toContain('tool.execution.requested')
    const session = await sessionOf(host, execution)
    await session.redeem(execution.executionId, { output: { passages: [] } })
    await first.done
    expect(first.events.at(-1)?.type).toBe('run.completed')
    const third = reading(host, baseline)
    await third.has('tool.execution.requested')
  })
})
