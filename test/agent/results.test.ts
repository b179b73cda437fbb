import { expect, test } from 'vitest'
import * as z from 'zod'
import { tool } from '../../src/index.ts'
import { calling, play } from '../support/play.ts'

const returning = (value: unknown) =>
  tool({ name: 'give', description: 'Gives a value', execute: () => value })

async function toldOf(value: unknown) {
  const { told, calls } = await play({ tools: [returning(value)] }, [calling('give')])
  return { text: told[0], status: calls[0]?.end?.status }
}

test('a string result reaches the model unchanged [approvals/B1]', async () => {
  expect(await toldOf('hi')).toEqual({ text: 'hi', status: 'completed' })
})

test('a tool that returns nothing gives the model an empty text [approvals/B2]', async () => {
  expect(await toldOf(undefined)).toEqual({ text: '', status: 'completed' })
  expect(await toldOf(null)).toEqual({ text: '', status: 'completed' })
})

test('any other result reaches the model as JSON, falsy values included [approvals/B3]', async () => {
  expect((await toldOf({ a: 1 })).text).toBe('{"a":1}')
  expect((await toldOf(0)).text).toBe('0')
  expect((await toldOf(false)).text).toBe('false')
  expect((await toldOf([])).text).toBe('[]')
})

test('a throw reaches the model with the prefix, and the turn goes on [approvals/B5]', async () => {
  const failing = tool({
    name: 'read_page',
    description: 'Reads a page',
    execute: () => {
      throw new Error('no page')
    },
  })
  const { told, result, calls } = await play({ tools: [failing] }, [calling('read_page')])
  expect(told).toEqual(['Error: no page'])
  expect(result).toMatchObject({ status: 'completed', text: 'done', steps: 2 })
  expect(calls[0]?.end).toMatchObject({ status: 'failed', code: 'tool_error', message: 'no page' })
})

test('a rejected promise is a throw [approvals/B6]', async () => {
  const failing = tool({
    name: 'read_page',
    description: 'Reads a page',
    execute: async () => Promise.reject(new Error('no page')),
  })
  const { told } = await play({ tools: [failing] }, [calling('read_page')])
  expect(told).toEqual(['Error: no page'])
})

test('circular, BigInt and hostile results have a defined encoding and end the call as completed [faults/F52]', async () => {
  const circular: Record<string, unknown> = { count: 2n ** 70n }
  circular.self = circular
  Object.defineProperty(circular, 'trap', {
    enumerable: true,
    get: () => {
      throw new Error('boo')
    },
  })
  const { text, status } = await toldOf(circular)
  expect(status).toBe('completed')
  expect(text).toBe('{"count":1180591620717411303424,"self":"[circular]","trap":"[unreadable: boo]"}')
})

test('a result that is not as the output schema says fails, and the model is told that the tool ran', async () => {
  const wrong = tool({
    name: 'count',
    description: 'Counts',
    outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    execute: () => ({ n: 'many' }),
  })
  const { calls } = await play({ tools: [wrong] }, [calling('count')])
  expect(calls[0]?.end).toMatchObject({ status: 'failed', code: 'invalid_output', effect: 'uncertain' })
})

test('what an outputSchema gives is what the model is told; where a result is no JSON, the sentence says where', async () => {
  const told = async (value: unknown) => {
    const made = tool({
      name: 'give_value',
      description: 'Gives',
      toolClass: 'read',
      outputSchema: z.object({ a: z.unknown() }),
      execute: () => value as { a: unknown },
    })
    return (await play({ tools: [made] }, [calling('give_value')])).told[0]
  }
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  expect(await told({ a: 1, secret: 2 })).toBe('{"a":1}')
  expect(await told({ a: [new Date(0)] })).toContain('/a/0 is a Date')
  expect(await told({ a: new Map() })).toContain('/a is a Map')
  expect(await told({ a: Number.NaN })).toContain('/a is NaN')
  expect(await told({ a: cycle })).toContain('/a/self is a part that contains itself')
})
