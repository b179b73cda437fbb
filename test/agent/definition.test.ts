import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { agent, type DriverRequest, scriptedModel, tool } from '../../src/index.ts'
import { calling, play } from '../support/play.ts'

const stock = z.object({
  sku: z.string().describe('Warehouse SKU, e.g. ADK-1'),
  quantity: z.number().int().positive().describe('Units the customer wants'),
})

const seen: unknown[] = []
const checkStock = tool({
  name: 'check_stock',
  description: 'Looks up stock',
  schema: stock,
  execute: (args) => {
    seen.push(args)
    return 'enough'
  },
})

test('a tool that can do nothing is an error at build time [approvals/G1]', () => {
  // @ts-expect-error the types say it too
  const build = () => tool({ name: 'idle', description: 'Does nothing', schema: stock })
  expect(build).toThrowError(
    expect.objectContaining({ code: 'INVALID_TOOL', message: expect.stringContaining('yieldSchema') }),
  )
})

test('a tool that only stops to ask can be built [approvals/G2]', () => {
  const made = tool({
    name: 'confirm',
    description: 'Asks',
    yieldSchema: z.object({ approved: z.boolean() }),
  })
  expect(made.name).toBe('confirm')
})

test('an unknown key is an error at build time that names it [approvals/G3]', () => {
  const config = { name: 'a', description: 'b', execute: () => 1, requiresApproval: true }
  expect(() => tool(config)).toThrowError(
    expect.objectContaining({ code: 'INVALID_TOOL', message: expect.stringContaining('"requiresApproval"') }),
  )
})

test.each(['', ' ', 'has space', 'naïve', '-dash', 'x'.repeat(129), 7])(
  'the bad name %j is an error at build time',
  (name) => {
    const build = () => tool({ name: name as string, description: 'b', execute: () => 1 })
    expect(build).toThrowError(
      expect.objectContaining({ code: 'INVALID_TOOL', message: expect.stringContaining('"name"') }),
    )
  },
)

test('every fault of a configuration is named at once', () => {
  const build = () =>
    tool({ name: 'a b', description: '', timeout: -1, retry: { maxAttempts: 0 } as never, execute: () => 1 })
  expect(build).toThrowError(/"name".*"description".*"timeout".*"retry"/)
})

test('a stringy number is coerced where the schema declares it, and the call says so [approvals/G4]', async () => {
  seen.length = 0
  const { told, calls } = await play({ tools: [checkStock] }, [
    calling('check_stock', { sku: 'ADK-2', quantity: '5' }),
  ])
  expect(seen).toEqual([{ sku: 'ADK-2', quantity: 5 }])
  expect(told).toEqual(['enough'])
  expect(calls[0]?.coerced).toEqual([{ pointer: '/quantity', from: '5', to: 5 }])
})

test('a missing argument is an error for the model, and the run completes [approvals/G5]', async () => {
  const { calls, told, result } = await play({ tools: [checkStock] }, [
    calling('check_stock', { sku: 'ADK-1' }),
  ])
  expect(calls[0]?.end).toMatchObject({
    code: 'invalid_arguments',
    message: expect.stringMatching(/^Invalid arguments: .*quantity/),
  })
  expect(told[0]).toMatch(/^Error: Invalid arguments: .*quantity/)
  expect(result.status).toBe('completed')
})

test('a refinement of the schema is checked [approvals/G7]', async () => {
  const { told } = await play({ tools: [checkStock] }, [
    calling('check_stock', { sku: 'ADK-1', quantity: -1 }),
  ])
  expect(told[0]).toMatch(/^Error: Invalid arguments: .*quantity/)
})

test('an unknown tool is an error that names it and those that exist, and the run goes on [approvals/G9]', async () => {
  const { told, result } = await play({ tools: [checkStock] }, [calling('chek_stock')])
  expect(told[0]).toMatch(/Unknown tool: "chek_stock".*check_stock/)
  expect(result.status).toBe('completed')
})

test('the descriptions of fields reach the model [approvals/G10]', async () => {
  const requests: DriverRequest[] = []
  const model = scriptedModel((request) => {
    requests.push(request)
    return 'ok'
  })
  await (await agent({ name: 'a', model, tools: [checkStock] }).startSession()).run('go')
  const schema = requests[0]?.tools[0]?.jsonSchema as { properties: Record<string, { description: string }> }
  expect(schema.properties.sku?.description).toBe('Warehouse SKU, e.g. ADK-1')
})

test('the types of the arguments follow from the schema [tools-and-approvals/arguments-typed]', () => {
  tool({
    name: 'typed',
    description: 'Typed',
    schema: stock,
    execute: (args, context) => {
      expectTypeOf(args).toEqualTypeOf<{ sku: string; quantity: number }>()
      expectTypeOf(context.args).toEqualTypeOf<{ sku: string; quantity: number }>()
      return { onHand: 3 }
    },
    finalize: (_args, context) => {
      expectTypeOf(context.result).toEqualTypeOf<{ onHand: number }>()
    },
  })
  tool({
    name: 'plain',
    description: 'Plain',
    schema: {
      type: 'object',
      properties: { page: { type: 'integer' }, tag: { enum: ['a', 'b'] } },
      required: ['page'],
    },
    execute: (args) => {
      expectTypeOf(args.page).toEqualTypeOf<number>()
      expectTypeOf(args.tag).toEqualTypeOf<'a' | 'b' | undefined>()
    },
  })
})

test('two tools of one name are refused by name', () => {
  const again = () => agent({ name: 'a', model: scriptedModel([]), tools: [checkStock, checkStock] })
  expect(again).toThrowError(
    expect.objectContaining({ code: 'DUPLICATE_TOOL', message: expect.stringContaining('check_stock') }),
  )
})

test.each([
  [{ name: '' }, /needs a name/],
  [{ tols: [] }, /"tols"/],
  [{ tools: [{}] }, /tools\[0\]/],
  [{ approvals: 'yes' }, /approvals/],
  [{ defaultToolMode: 'wild' }, /defaultToolMode/],
  [{ stepsMax: 0 }, /stepsMax/],
  [{ model: 'gpt-5' }, /model/],
])('a wrong option of agent() is named: %j', (wrong, message) => {
  const config = { name: 'a', model: scriptedModel([]), ...wrong } as never
  expect(() => agent(config)).toThrowError(
    expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringMatching(message) }),
  )
})

test('coercion can be turned off for a Standard Schema, and on for a plain JSON Schema [faults/F4]', async () => {
  const strict = tool({
    name: 'strict',
    description: 'Strict',
    schema: z.object({ n: z.number() }),
    coercion: 'off',
    execute: () => 'ran',
  })
  const plain = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
  const lenient = tool({
    name: 'lenient',
    description: 'Lenient',
    schema: plain,
    coercion: 'lossless',
    execute: ({ n }) => `ran ${typeof n}`,
  })
  const { calls, told } = await play({ tools: [strict, lenient] }, [
    calling('strict', { n: '5' }),
    calling('lenient', { n: '5' }),
    calling('lenient', { n: '007' }),
  ])
  expect(calls.map((call) => call.end?.status)).toEqual(['refused', 'completed', 'refused'])
  expect(told[1]).toBe('ran number')
  expect(calls[1]?.coerced).toEqual([{ pointer: '/n', from: '5', to: 5 }])
})
