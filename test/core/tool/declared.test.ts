import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { type Tool, type ToolConfig, tool } from '../../../src/index.ts'

const named = { name: 'look', description: 'Looks' }
const execute = () => 'seen'

test('a tool that nothing carries is refused by the types, and when it is made', () => {
  // @ts-expect-error it has neither execute nor yieldSchema
  const build = () => tool({ ...named, schema: z.object({ city: z.string() }), timeout: 1_000 })
  expect(build).toThrow(/execute/)
  // @ts-expect-error nor does a configuration become one by its type
  const config: ToolConfig = { ...named }
  expect(() => tool(config)).toThrow(/execute/)
})

test('an object of schemas in the place of a schema is refused by the types, and when the tool is made', () => {
  // @ts-expect-error its members are schemas, it is none
  expect(() => tool({ ...named, schema: { city: z.string() }, execute })).toThrow()
  // @ts-expect-error one of its members is a schema
  expect(() => tool({ ...named, schema: { type: 'object', city: z.string() }, execute })).toThrow()
  // @ts-expect-error so it is in the place of an answer
  expect(() => tool({ ...named, yieldSchema: { city: type('string') } })).toThrow()
})

test('every kind of schema stays one, and what execute gets follows from it', () => {
  const zod = tool({
    ...named,
    schema: z.object({ city: z.string() }),
    execute: (args, context) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string }>()
      expectTypeOf(context.args).toEqualTypeOf<{ city: string }>()
      return args.city.length
    },
    finalize: (_args, { result }) => {
      expectTypeOf(result).toEqualTypeOf<number>()
    },
  })
  const valibot = tool({
    ...named,
    schema: toStandardJsonSchema(v.object({ city: v.string() })),
    execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
  })
  const arktype = tool({
    ...named,
    schema: type({ city: 'string' }),
    execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
  })
  const plain = tool({
    ...named,
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
  })
  const loose: Record<string, unknown> = { type: 'object' }
  const loaded = tool({ ...named, schema: loose, execute: (args) => expectTypeOf(args).toBeUnknown() })
  const anything = tool({ ...named, schema: JSON.parse('{"type":"object"}'), execute })
  const bare = tool({ ...named, execute })
  expectTypeOf([zod, valibot, arktype, plain, loaded, anything, bare]).toEqualTypeOf<Tool[]>()
})

test('a configuration that is put together elsewhere is taken as it is', () => {
  const parts: Partial<ToolConfig> = { timeout: 1_000 }
  expectTypeOf(tool({ ...named, execute, ...parts } as ToolConfig)).toEqualTypeOf<Tool>()
  const config: ToolConfig = { ...named, execute }
  expect(tool(config).name).toBe('look')
})
