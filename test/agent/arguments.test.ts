import { expect, test } from 'vitest'
import { agent, type DriverRequest, type SchemaSource, scriptedModel, tool } from '../../src/index.ts'
import { play } from '../support/play.ts'

const schema = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, description: 'The page number.' },
    color: { enum: ['red', 'blue'] },
    tags: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  required: ['page'],
  additionalProperties: false,
} as const

async function call(argumentsText: string, given: SchemaSource = schema) {
  const runs: unknown[] = []
  const readPage = tool({
    name: 'read_page',
    description: 'Reads',
    toolClass: 'write',
    schema: given,
    execute: (args) => void runs.push(args),
  })
  let asked = 0
  const approvals = () => {
    asked += 1
    return { approved: true }
  }
  const { told, calls } = await play({ tools: [readPage], approvals }, [
    { calls: [{ name: 'read_page', argumentsText }] },
  ])
  return { runs, asked, told: told[0] ?? '', end: calls[0]?.end }
}

const refused = (message: RegExp) => ({
  status: 'refused',
  code: 'invalid_arguments',
  message: expect.stringMatching(message),
})

test('a missing or null required argument stops the call before anybody is asked [approvals/A1] [approvals/A2] [tools-and-approvals/arguments-required]', async () => {
  for (const text of ['{}', '{"page":null}']) {
    const { runs, asked, end } = await call(text)
    expect({ runs, asked }).toEqual({ runs: [], asked: 0 })
    expect(end).toMatchObject(refused(/page/))
  }
  const nullable = { type: 'object', properties: { page: { type: ['integer', 'null'] } }, required: ['page'] }
  expect((await call('{"page":null}', nullable)).runs).toEqual([{ page: null }])
})

test('each argument must have the type of its schema [approvals/A4] [approvals/A5] [tools-and-approvals/arguments-type]', async () => {
  for (const text of ['{"page":"5"}', '{"page":5.5}', '{"page":true}', '{"page":[5]}']) {
    expect((await call(text)).end).toMatchObject(refused(/page must be an integer/))
  }
  expect((await call('{"page":5.0}')).runs).toEqual([{ page: 5 }])
})

test('an argument with an enum must be one of its values [approvals/A8] [tools-and-approvals/arguments-enum]', async () => {
  expect((await call('{"page":1,"color":"green"}')).end).toMatchObject(refused(/color must be one of/))
})

test('a closed schema refuses arguments that it does not name [approvals/A10] [tools-and-approvals/arguments-closed]', async () => {
  expect((await call('{"page":1,"extra":1}')).end).toMatchObject(refused(/extra/))
  const open = { type: 'object', properties: {} }
  expect((await call('{"extra":1}', open)).runs).toEqual([{ extra: 1 }])
})

test.each(['{bad', '{"page":1', '{"page":1}{', "{'page':1}", '{"page":1,"page":2}', '{"page":NaN}'])(
  'text that is not JSON fails as such: %s [approvals/A12] [tools-and-approvals/arguments-not-json]',
  async (text) => {
    const { runs, asked, told } = await call(text)
    expect({ runs, asked }).toEqual({ runs: [], asked: 0 })
    expect(told).toMatch(/^Error: Invalid arguments: the text is not JSON/)
  },
)

test.each(['[1]', '"x"', '7', 'null', 'true'])(
  'arguments that are no object fail: %s [approvals/A13]',
  async (text) => {
    expect((await call(text)).end).toMatchObject(refused(/must be an object/))
  },
)

test('one message holds all faults of every level, each with its pointer [approvals/A15] [tools-and-approvals/arguments-error-text]', async () => {
  const { told } = await call('{"page":0,"color":"green","tags":[{"name":1},{}]}')
  expect(told).toMatch(/^Error: Invalid arguments: /)
  for (const place of ['/page', '/color', '/tags/0/name', '/tags/1/name']) expect(told).toContain(place)
})

test('no text at all means no arguments, where the schema takes none [faults/F6]', async () => {
  for (const text of ['', '  \n']) {
    expect((await call(text, { type: 'object', properties: {} })).runs).toEqual([{}])
    expect((await call(text)).end).toMatchObject(refused(/page/))
  }
})

test('a plain JSON Schema reaches the model with every keyword [tools-and-approvals/parameters-json-schema]', async () => {
  const requests: DriverRequest[] = []
  const model = scriptedModel((request) => {
    requests.push(request)
    return 'ok'
  })
  const readPage = tool({ name: 'read_page', description: 'Reads', schema, execute: () => '' })
  await (await agent({ name: 'a', model, tools: [readPage] }).startSession()).run('go')
  expect(JSON.stringify(requests[0]?.tools[0]?.jsonSchema)).toBe(JSON.stringify(schema))
})

test('arguments named like inherited members arrive as own members, and pollute nothing [faults/F72]', async () => {
  const { runs } = await call('{"__proto__":{"polluted":1},"constructor":2}', { type: 'object' })
  expect(JSON.stringify(runs[0])).toBe('{"__proto__":{"polluted":1},"constructor":2}')
  expect(Object.getPrototypeOf(runs[0])).toBe(Object.prototype)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('an integer beyond 2^53 arrives exactly, and two of them are two calls', async () => {
  const { runs } = await call('{"n":9007199254740993}', {
    type: 'object',
    properties: { n: { type: 'integer' } },
  })
  expect(runs).toEqual([{ n: 9007199254740993n }])
})
