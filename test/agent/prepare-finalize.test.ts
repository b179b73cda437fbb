import { expect, test } from 'vitest'
import * as z from 'zod'
import { type ApprovalRequest, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { calling, play } from '../support/play.ts'

type Booking = { room: string; minutes: number; reference: string }

function bookRoom(trace: string[], over: Record<string, unknown> = {}) {
  return tool({
    name: 'book_room',
    description: 'Books a room',
    toolClass: 'write',
    schema: z.object({ room: z.string(), minutes: z.number() }),
    prepare: ({ room, minutes }) => {
      trace.push(`prepare ${JSON.stringify({ room, minutes })}`)
      return { room: room.trim().toUpperCase(), minutes: Math.min(minutes, 60) }
    },
    execute: (args): Booking => {
      trace.push(`execute ${JSON.stringify(args)}`)
      return { ...args, reference: 'REF-8891' }
    },
    finalize: (_args, { result }) => {
      trace.push(`finalize ${result.reference}`)
      return { ...result, reference: 'REF-***' }
    },
    ...over,
  })
}

const call = calling('book_room', { room: ' orion ', minutes: 240 })

test('prepare replaces the arguments, finalize the result; each runs once and in order [approvals/H1] [approvals/H6]', async () => {
  const trace: string[] = []
  const { told } = await play({ tools: [bookRoom(trace)], mode: 'auto' }, [call])
  expect(trace).toEqual([
    'prepare {"room":" orion ","minutes":240}',
    'execute {"room":"ORION","minutes":60}',
    'finalize REF-8891',
  ])
  expect(told).toEqual(['{"room":"ORION","minutes":60,"reference":"REF-***"}'])
})

test('a prepare that returns nothing keeps the arguments [approvals/H2]', async () => {
  const trace: string[] = []
  await play({ tools: [bookRoom(trace, { prepare: () => undefined })], mode: 'auto' }, [call])
  expect(trace[0]).toBe('execute {"room":" orion ","minutes":240}')
})

test('the log holds only what finalize let through [approvals/H3]', async () => {
  const { events } = await play({ tools: [bookRoom([])], mode: 'auto' }, [call])
  expect(JSON.stringify(events)).toContain('REF-***')
  expect(JSON.stringify(events)).not.toContain('REF-8891')
})

test('a finalize that returns nothing keeps the result [approvals/H4]', async () => {
  const { told } = await play({ tools: [bookRoom([], { finalize: () => undefined })], mode: 'auto' }, [call])
  expect(told[0]).toContain('REF-8891')
})

test('a control signal and a throw skip finalize [approvals/H5]', async () => {
  const trace: string[] = []
  const finalize = () => {
    trace.push('finalize')
  }
  const ending = bookRoom([], {
    finalize,
    execute: (_args: unknown, context: { output(value: unknown): unknown }) => context.output({ n: 1 }),
  })
  const { result } = await play({ tools: [ending], mode: 'auto' }, [call])
  expect(result).toMatchObject({ status: 'completed', output: { n: 1 } })
  const throwing = bookRoom([], {
    finalize,
    execute: () => {
      throw new Error('full')
    },
  })
  await play({ tools: [throwing], mode: 'auto' }, [call])
  expect(trace).toEqual([])
})

test('the approver sees the prepared arguments, before anything ran', async () => {
  const trace: string[] = []
  let request: ApprovalRequest | undefined
  const approvals = (given: ApprovalRequest) => {
    request = given
    return { approved: false }
  }
  await play({ tools: [bookRoom(trace)], approvals }, [call])
  expect(request).toMatchObject({ args: { room: 'ORION', minutes: 60 }, prepared: true })
  expect(trace).toHaveLength(1)
})

test('what prepare returns is validated again [tools-in-an-agent/prepared-validated]', async () => {
  const trace: string[] = []
  const prepare = () => ({ room: 'ORION', minutes: 'many' })
  const { told } = await play({ tools: [bookRoom(trace, { prepare })], mode: 'auto' }, [call])
  expect(told[0]).toMatch(/^Error: Invalid arguments: after preparation: .*minutes/)
  expect(trace).toEqual([])
})

test('a prepare that throws is told to the model, and the run goes on [tools-in-an-agent/prepare-throws]', async () => {
  const prepare = () => {
    throw new Error('no calendar')
  }
  const { told, result, calls } = await play({ tools: [bookRoom([], { prepare })], mode: 'auto' }, [call])
  expect(told).toEqual(['Error: no calendar'])
  expect(calls[0]?.end).toMatchObject({ status: 'refused', code: 'prepare_failed' })
  expect(result.status).toBe('completed')
})

test('a finalize that throws does not run the tool again, whatever its retry says [tools-in-an-agent/finalize-throws]', async () => {
  const trace: string[] = []
  const finalize = () => {
    throw new Error('no printer')
  }
  const retry = { maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 0, backoffMultiplier: 1 }
  const { calls } = await play({ tools: [bookRoom(trace, { finalize, retry })], mode: 'auto' }, [call])
  expect(trace.filter((line) => line.startsWith('execute'))).toHaveLength(1)
  expect(calls[0]?.end).toMatchObject({ status: 'failed', code: 'finalize_failed', effect: 'uncertain' })
})

test('a schema that transforms to what is no JSON gives execute its own output, from the record', async () => {
  const seen: unknown[] = []
  const schedule = tool({
    name: 'schedule',
    description: 'Schedules',
    schema: z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }),
    execute: ({ at }) => {
      seen.push(at)
      return 'ok'
    },
  })
  const { calls } = await play({ tools: [schedule] }, [calling('schedule', { at: '2026-01-02T03:04:05Z' })])
  expect(seen).toEqual([new Date('2026-01-02T03:04:05Z')])
  expect(calls[0]?.args).toEqual({ at: '2026-01-02T03:04:05Z' })
})

test('what a tool does to its arguments reaches neither the log nor the next try [application/B11]', async () => {
  const seen: string[] = []
  let tries = 0
  const mutating = tool({
    name: 'mutate',
    description: 'Mutates',
    schema: {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' } } },
      required: ['list'],
    },
    retry: { maxAttempts: 2, initialDelayMs: 0, maxDelayMs: 0, backoffMultiplier: 1 },
    execute: ({ list }) => {
      tries += 1
      seen.push(JSON.stringify(list))
      ;(list as string[]).push('changed')
      if (tries < 2) throw new Error('again')
      return 'ok'
    },
  })
  const approvals = (request: ApprovalRequest) => {
    try {
      ;(request.args as { list: string[] }).list.push('by the handler')
    } catch {
      // A frozen request refuses the change, which is as good.
    }
    return { approved: true }
  }
  const { calls } = await play({ tools: [mutating], approvals }, [calling('mutate', { list: ['a'] })])
  expect(seen).toEqual(['["a"]', '["a"]'])
  expect(calls[0]?.args).toEqual({ list: ['a'] })
})

test('what prepare returns is converted like what the model writes, and the record says so', async () => {
  const seen: unknown[] = []
  const made = tool({
    name: 'give',
    description: 'Gives',
    schema: z.object({ a: z.number() }),
    prepare: () => ({ a: '7' as unknown as number }),
    execute: (args) => {
      seen.push(args)
      return 'ok'
    },
  })
  const { calls } = await play({ tools: [made] }, [calling('give', { a: 1 })])
  expect(seen).toEqual([{ a: 7 }])
  expect(calls[0]).toMatchObject({ args: { a: 7 }, coerced: [{ pointer: '/a', from: '7', to: 7 }] })
})

test('where a schema transforms, what prepare returns is checked by what is known of its output', async () => {
  const told = async (given: unknown) => {
    const made = tool({
      name: 'give',
      description: 'Gives',
      schema: z.object({ a: z.number().transform(String), b: z.number() }),
      prepare: () => given as { a: string; b: number },
      execute: (args) => JSON.stringify(args),
    })
    return (await play({ tools: [made] }, [calling('give', { a: 1, b: 2 })])).told[0]
  }
  expect(await told({ a: 'one', b: 2 })).toBe('{"a":"one","b":2}')
  expect(await told({ a: { junk: true }, b: 2 })).toMatch(/after preparation: \/a must be a string/)
  expect(await told({ a: 7, b: 2 })).toMatch(/\/a must be a string/)
  expect(await told({ a: 'one', b: 'two' })).toMatch(/\/b/)
  expect(await told({ a: new Date(0), b: 2 })).toMatch(/\/a is a Date/)
})

/** A tool whose finalize takes so long, by a clock that a test moves. */
async function finalizedAfter(finalizeMs: number, timeout?: number) {
  const clock = manualClock()
  let aborted: unknown
  const shaping = tool({
    name: 'shape',
    description: 'Shapes',
    toolClass: 'write',
    ...(timeout === undefined ? {} : { timeout }),
    execute: async () => {
      await clock.sleep(700)
      return 'raw'
    },
    finalize: async (_args, { signal }) => {
      await clock.sleep(finalizeMs, signal).catch((error: unknown) => {
        aborted = error
        throw error
      })
      return 'shaped'
    },
  })
  const playing = play({ tools: [shaping], mode: 'auto', parts: { clock } }, [calling('shape')])
  await clock.advance(finalizeMs + 1_000)
  const { calls } = await playing
  return { end: calls[0]?.end, aborted }
}

test('finalize has as long again as the tool, longer or shorter than the ten seconds of a tool without a timeout', async () => {
  const shaped = { status: 'completed', text: { inline: 'shaped' } }
  expect((await finalizedAfter(900, 1_000)).end).toMatchObject(shaped)
  expect((await finalizedAfter(59_000, 60_000)).end).toMatchObject(shaped)
  expect((await finalizedAfter(9_000)).end).toMatchObject(shaped)
  const short = await finalizedAfter(1_100, 1_000)
  expect(short.end).toMatchObject({
    code: 'finalize_failed',
    message: expect.stringContaining('The finalize of "shape" timed out after 1000 ms'),
    effect: 'uncertain',
  })
  expect(short.aborted).toMatchObject({ name: 'TimeoutError' })
  expect((await finalizedAfter(11_000)).end).toMatchObject({
    message: expect.stringContaining('timed out after 10000 ms'),
  })
})
