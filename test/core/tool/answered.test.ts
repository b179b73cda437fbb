import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { memoryStore, type ToolContext, tool } from '../../../src/index.ts'

const named = { name: 'ask', description: 'Asks' }

test('the type of context.input follows from yieldSchema, wherever the answer is there', () => {
  tool({
    ...named,
    yieldSchema: z.object({ seats: z.number(), note: z.string().default('') }),
    execute: (_args, context) => {
      expectTypeOf(context.input).toEqualTypeOf<{ seats: number; note: string }>()
      return context.input.seats
    },
    finalize: (_args, context) => {
      expectTypeOf(context.input.note).toEqualTypeOf<string>()
      expectTypeOf(context.result).toEqualTypeOf<number>()
    },
    reconcile: (_args, { input }) => {
      expectTypeOf(input.seats).toEqualTypeOf<number>()
      return { found: 'unknown' }
    },
    check: (_args, context) => {
      expectTypeOf(context.input).toEqualTypeOf<unknown>()
      return undefined
    },
  })
})

test('a JSON Schema tells the type too, and a tool that does not ask has an answer of no known type', () => {
  tool({
    ...named,
    schema: z.object({ room: z.string() }),
    yieldSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    execute: ({ room }, { input }) => {
      expectTypeOf(input).toEqualTypeOf<{ ok: boolean }>()
      expectTypeOf(room).toEqualTypeOf<string>()
      return memoryStore()
    },
  })
  tool({
    ...named,
    execute: (_args, context) => {
      expectTypeOf(context.input).toEqualTypeOf<unknown>()
      expectTypeOf(context).toExtend<ToolContext>()
      return 1
    },
  })
})
