import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WireServer, type WireStep, wireServer } from '../../../src/testing-wire.ts'
import { hello, post, type WireName, wireNames } from './post.ts'

let server: WireServer
let step: WireStep = 'Good.'

beforeAll(async () => {
  server = await wireServer({ script: () => step })
})
afterAll(async () => {
  await server.close()
})

type Case = readonly [says: string, change: object, message: string]

/** What every bad request of a wire is compared with: it must be taken as it is. */
function refusesAll(wire: WireName, good: object, cases: readonly Case[]) {
  test('a right request is taken', async () => {
    expect((await post(server, wire, good)).status).toBe(200)
  })

  test.each(cases)('%s is refused', async (_says, change, message) => {
    const seen = server.requests.length
    const { status, json } = await post(server, wire, { ...good, ...change })
    expect(json()).toMatchObject({ error: { message: expect.stringContaining(message) } })
    expect(status).toBe(400)
    expect(json()).toMatchObject(
      wire === 'anthropic.messages'
        ? { type: 'error', error: { type: 'invalid_request_error' }, request_id: expect.any(String) }
        : { error: { type: 'invalid_request_error', code: expect.toSatisfy(isTextOrNull) } },
    )
    expect(server.requests[seen]).toMatchObject({ refused: { status: 400 } })
  })
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

const chatTool = (name: string, parameters: object = { type: 'object', properties: {} }) => {
  return { type: 'function', function: { name, parameters } }
}
const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'pay', arguments: '{}' } })
const asks = { role: 'user', content: 'Pay' }
const chatAnswer = { role: 'assistant', content: null, tool_calls: [chatCall('a'), chatCall('b')] }
const chatResult = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'Paid.' })

/** Schemas that OpenAI does not take, outside of strict mode. */
const notTaken: readonly (readonly [says: string, schema: object, message: string])[] = [
  [
    'an array without items',
    { type: 'object', properties: { tags: { type: 'array' } } },
    'at /properties/tags, an array needs a schema as "items"',
  ],
  ['anyOf at the root', { type: 'object', anyOf: [{ required: ['a'] }] }, 'at /anyOf, "anyOf" is not taken'],
  ['an enum at the root', { type: 'object', enum: [{}] }, '"enum" is not taken'],
]

const openSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
const closedSchema = { ...openSchema, additionalProperties: false }
const optionalSchema = { ...closedSchema, required: [] }

describe("OpenAI's chat", () => {
  const results = [chatResult('b'), chatResult('a')]
  const good = { ...hello['openai.chat'], tools: [chatTool('pay')], messages: [asks, chatAnswer, ...results] }
  refusesAll('openai.chat', good, [
    ['a message list that is empty', { messages: [] }, '/messages'],
    ['a role that there is not', { messages: [{ role: 'bot', content: 'Hi' }] }, '/messages/0/role'],
    ['an unknown parameter', { temprature: 1 }, '/temprature'],
    ['a parameter of the wrong type', { temperature: 'hot' }, '/temperature'],
    ['a tool name with a dot', { tools: [chatTool('pay.now')] }, '/tools/0/function/name'],
    ['parameters that are no object schema', { tools: [chatTool('pay', { type: 'array' })] }, '/parameters'],
    ...notTaken.map(([says, schema, message]): Case => [says, { tools: [chatTool('pay', schema)] }, message]),
    ['a strict tool that is open', { tools: [strictChatTool(openSchema)] }, '"additionalProperties": false'],
    ['a strict tool with an optional member', { tools: [strictChatTool(optionalSchema)] }, 'in "required"'],
    ['two tools of one name', { tools: [chatTool('pay'), chatTool('pay')] }, 'the same name, "pay"'],
    ['129 tools', { tools: many(129, (name) => chatTool(name)) }, '129 tools; at most 128'],
    ['an empty list of tools', { tools: [] }, '/tools'],
    ['a choice of tools without tools', { tools: undefined, tool_choice: 'auto' }, '"tools"'],
    ['stream options without a stream', { stream: false, stream_options: {} }, '"stream"'],
    ['two bounds on tokens', { max_tokens: 5, max_completion_tokens: 5 }, 'not both'],
    ['a call without a result', { messages: [asks, chatAnswer, chatResult('a')] }, 'these have none: b'],
    [
      'a call answered only later',
      { messages: [asks, chatAnswer, asks, ...results] },
      'these have none: a, b',
    ],
    [
      'a result without a call',
      { messages: [asks, chatAnswer, ...results, chatResult('c')] },
      '"c" answers no',
    ],
    [
      'a second result of a call',
      { messages: [asks, chatAnswer, ...results, chatResult('a')] },
      '"a" answers no',
    ],
    ['an answer that says nothing', { messages: [asks, { role: 'assistant' }] }, 'needs content'],
    ['arguments that are no text', { messages: [asks, withArguments({})] }, '/arguments'],
    [
      'two calls of one id',
      { messages: [asks, { ...chatAnswer, tool_calls: [chatCall('a'), chatCall('a')] }, chatResult('a')] },
      'the same id',
    ],
  ])

  test('128 tools and a strict tool that is closed are taken', async () => {
    for (const tools of [many(128, (name) => chatTool(name)), [strictChatTool(closedSchema)]])
      expect((await post(server, 'openai.chat', { ...hello['openai.chat'], tools })).status).toBe(200)
  })

  test('a schema that is not taken is named as OpenAI does', async () => {
    const tools = [chatTool('pay'), chatTool('look', notTaken[0]![1])]
    const { json } = await post(server, 'openai.chat', { ...good, tools })
    expect(json()).toMatchObject({
      error: { param: 'tools[1].function.parameters', code: 'invalid_function_parameters' },
    })
  })

  test('a fault names the parameter as OpenAI writes it', async () => {
    const messages = [asks, { role: 'user', content: 7 }]
    const { json } = await post(server, 'openai.chat', { ...good, messages })
    expect(json()).toMatchObject({ error: { param: 'messages[1].content', code: 'invalid_value' } })
  })
})

function strictChatTool(parameters: object): object {
  return { type: 'function', function: { name: 'pay', parameters, strict: true } }
}

function many(count: number, make: (name: string) => object): object[] {
  return Array.from({ length: count }, (_, place) => make(`tool_${place}`))
}

function withArguments(value: unknown): object {
  return {
    role: 'assistant',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'pay', arguments: value } }],
  }
}

const ownTool = { name: 'pay', input_schema: { type: 'object' } }
const withSchema = (input_schema: object) => ({ ...ownTool, input_schema })
const use = (id: string) => ({ type: 'tool_use', id, name: 'pay', input: {} })
const used = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: 'Paid.' })
const uses = { role: 'assistant', content: [use('a'), use('b')] }
const said = { type: 'text', text: 'Now?' }

describe("Anthropic's messages", () => {
  const results = [used('b'), used('a')]
  const messages = [asks, uses, { role: 'user', content: [...results, said] }]
  const good = { ...hello['anthropic.messages'], tools: [ownTool], messages }
  const answered = (...content: object[]) => ({ messages: [asks, uses, { role: 'user', content }] })
  refusesAll('anthropic.messages', good, [
    ['a request without max_tokens', { max_tokens: undefined }, 'max_tokens'],
    ['a temperature above 1', { temperature: 1.5 }, '/temperature'],
    ['an unknown parameter', { max_completion_tokens: 5 }, '/max_completion_tokens'],
    [
      'a system message among the others',
      { messages: [{ role: 'system', content: 'Be brief' }] },
      '/messages/0/role',
    ],
    ['a tool name with a dot', { tools: [{ ...ownTool, name: 'pay.now' }] }, '/tools/0/name'],
    ['an input schema that is no object', { tools: [{ ...ownTool, input_schema: {} }] }, '/input_schema'],
    ['two tools of one name', { tools: [ownTool, ownTool] }, 'the same name'],
    [
      'a property whose name has a space',
      { tools: [withSchema({ type: 'object', properties: { 'a b': {} } })] },
      'tools.0.custom.input_schema: at /properties/a b, the name of a property must match',
    ],
    [
      'anyOf at the root',
      { tools: [withSchema({ type: 'object', anyOf: [{}] })] },
      'input_schema: at /anyOf, "anyOf" is not taken',
    ],
    [
      'items in a list',
      { tools: [withSchema({ type: 'object', properties: { a: { type: 'array', items: [{}] } } })] },
      'input_schema: at /properties/a/items',
    ],
    [
      'a strict tool that is open',
      { tools: [{ ...withSchema(openSchema), strict: true }] },
      '"additionalProperties": false',
    ],
    [
      'a last assistant turn that ends in a space',
      { messages: [asks, { role: 'assistant', content: 'I will ' }] },
      'must not end in white space',
    ],
    [
      'a last assistant text that ends in a line break',
      { messages: [asks, { role: 'assistant', content: [{ type: 'text', text: 'I will\n' }] }] },
      'must not end in white space',
    ],
    [
      'a choice of an unknown tool',
      { tool_choice: { type: 'tool', name: 'run' } },
      'no tool is called "run"',
    ],
    [
      'an assistant who begins',
      { messages: [uses, { role: 'user', content: results }] },
      'must be of the role "user"',
    ],
    ['a blank text', { messages: [{ role: 'user', content: ' ' }] }, 'empty or blank'],
    ['a turn without content', { messages: [{ role: 'user', content: [] }] }, 'empty or blank'],
    ['a call without a result', answered(used('a')), 'these have none: b'],
    ['a call at the end', { messages: [asks, uses] }, 'these have none: a, b'],
    ['calls that are left unanswered', { messages: [asks, uses, asks] }, 'these have none: a, b'],
    ['a result without a call', answered(...results, used('c')), '"c" answers no'],
    ['a second result of a call', answered(...results, used('a')), '"a" answers no'],
    ['a result behind a text', answered(used('a'), said, used('b')), 'before all other content'],
    [
      'input that is no object',
      { messages: [asks, { role: 'assistant', content: [{ ...use('a'), input: '{}' }] }] },
      '/input',
    ],
    [
      'an id used twice',
      { messages: [...messages, uses, { role: 'user', content: results }] },
      'the same id',
    ],
  ])

  test('an assistant turn may end in a space when the user has spoken since', async () => {
    const said = [asks, { role: 'assistant', content: 'Well ' }, asks]
    const begun = [asks, { role: 'assistant', content: 'I will' }]
    for (const messages of [said, begun])
      expect((await post(server, 'anthropic.messages', { ...good, messages })).status).toBe(200)
  })

  test('results that follow each other in two messages are one turn', async () => {
    const split = [asks, uses, ...results.map((result) => ({ role: 'user', content: [result] }))]
    expect((await post(server, 'anthropic.messages', { ...good, messages: split })).status).toBe(200)
  })
})

const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'pay', arguments: '{}' })
const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'Paid.' })

describe("OpenAI's responses", () => {
  const tools = [{ type: 'function', name: 'pay', parameters: { type: 'object' }, strict: false }]
  const good = {
    ...hello['openai.responses'],
    tools,
    input: [asks, call('a'), call('b'), output('b'), output('a')],
  }
  refusesAll('openai.responses', good, [
    ['a request without input', { input: undefined }, 'input'],
    ['an unknown parameter', { max_tokens: 5 }, '/max_tokens'],
    ['an unknown item', { input: [{ type: 'tool_call' }] }, '/input/0/type'],
    ['a tool in the form of the chat', { tools: [chatTool('pay')] }, '/tools/0'],
    ['a tool name with a dot', { tools: [{ ...tools[0], name: 'pay.now' }] }, '/tools/0/name'],
    ...notTaken.map(
      ([says, parameters, message]): Case => [says, { tools: [{ ...tools[0], parameters }] }, message],
    ),
    [
      'a strict tool that is open',
      { tools: [{ ...tools[0], parameters: openSchema, strict: true }] },
      '"additionalProperties": false',
    ],
    ['two tools of one name', { tools: [tools[0], tools[0]] }, 'the same name, "pay"'],
    ['129 tools', { tools: many(129, (name) => ({ ...tools[0], name })) }, '129 tools; at most 128'],
    ['a call without arguments', { input: [asks, { ...call('a'), arguments: undefined }] }, '/input/1'],
    ['a call without an output', { input: [asks, call('a'), call('b'), output('a')] }, 'these have none: b'],
    ['an output without a call', { input: [asks, output('c')] }, '"c" answers no'],
    ['an output before its call', { input: [asks, output('a'), call('a')] }, '"a" answers no'],
    ['a second output of a call', { input: [asks, call('a'), output('a'), output('a')] }, '"a" answers no'],
    [
      'two calls of one id',
      { input: [asks, call('a'), output('a'), call('a')] },
      'Two calls bear the id "a"',
    ],
    ['an unknown response to go on from', { previous_response_id: 'resp_0' }, 'No response "resp_0"'],
    ['a choice of tools without tools', { tools: undefined, tool_choice: 'required' }, '"tools"'],
  ])
})

describe('reasoning that was given out', () => {
  const calling: WireStep = { reasoning: 'They owe five.', calls: [{ name: 'pay', id: 'c1' }] }
  const first = async (wire: WireName, more: object) => {
    step = calling
    const body = { ...hello[wire], stream: false, ...more }
    const answer = await post(server, wire, body)
    expect(answer.status).toBe(200)
    step = 'Good.'
    return answer.json() as Record<string, unknown>
  }

  describe('by Anthropic', () => {
    const wire = 'anthropic.messages'
    const on = { thinking: { type: 'enabled', budget_tokens: 1024 }, tools: [ownTool] }
    const then = async (change: (content: readonly object[]) => readonly object[], more: object = {}) => {
      const { content } = await first(wire, on)
      const messages = [
        asks,
        { role: 'assistant', content: change(content as object[]) },
        { role: 'user', content: [used('c1')] },
      ]
      const answer = await post(server, wire, { ...hello[wire], ...on, messages, ...more })
      return [answer.status, answer.text] as const
    }
    const missing = [400, expect.stringContaining('is missing')]

    test('is taken when it comes back as it was', async () => {
      expect((await then((content) => content))[0]).toBe(200)
    })
    test('is refused when it is left out', async () => {
      expect(await then((content) => content.slice(1))).toEqual(missing)
    })
    test('is refused when it comes after the call', async () => {
      expect(await then((content) => content.toReversed())).toEqual(missing)
    })
    test('is refused when it was changed, or signed by another', async () => {
      const changed = (member: object) => then(([block, ...rest]) => [{ ...block, ...member }, ...rest])
      expect(await changed({ thinking: 'They owe six.' })).toEqual([400, expect.stringContaining('changed')])
      expect(await changed({ signature: 'none' })).toEqual([400, expect.stringContaining('signature')])
    })
    test('may be left out when thinking is off, and when the user has spoken since', async () => {
      expect((await then((content) => content.slice(1), { thinking: { type: 'disabled' } }))[0]).toBe(200)
      const { content } = await first(wire, on)
      const before = [
        asks,
        { role: 'assistant', content: (content as object[]).slice(1) },
        { role: 'user', content: [used('c1')] },
      ]
      const messages = [...before, { role: 'assistant', content: 'Paid.' }, asks]
      expect((await post(server, wire, { ...hello[wire], ...on, messages })).status).toBe(200)
    })
    test('is needed of a loop that began elsewhere', async () => {
      const messages = [
        asks,
        { role: 'assistant', content: [use('x')] },
        { role: 'user', content: [used('x')] },
      ]
      const { status, text } = await post(server, wire, { ...hello[wire], ...on, messages })
      expect([status, text]).toEqual(missing)
    })
    test.each([
      ['a budget as large as the answer', { max_tokens: 1024 }],
      ['a budget below the least', { thinking: { type: 'enabled', budget_tokens: 100 } }],
      ['a temperature', { temperature: 0.5 }],
      ['a forced tool', { tool_choice: { type: 'any' } }],
    ])('%s is refused with it', async (_says, change) => {
      expect((await post(server, wire, { ...hello[wire], ...on, ...change })).status).toBe(400)
    })
    test('has no words when they are not to be shown, and is signed all the same', async () => {
      const thinking = { type: 'adaptive', display: 'omitted' }
      const { content } = await first(wire, { ...on, thinking })
      expect(content).toMatchObject([{ type: 'thinking', thinking: '', signature: expect.any(String) }, {}])
    })
  })

  describe('by OpenAI', () => {
    const wire = 'openai.responses'
    const encrypted = { store: false, include: ['reasoning.encrypted_content'] }
    const then = async (more: object, change: (output: readonly object[]) => readonly object[]) => {
      const { output: items } = await first(wire, more)
      const input = [asks, ...change(items as object[]), output('c1')]
      const answer = await post(server, wire, { ...hello[wire], ...more, input })
      return [answer.status, answer.text] as const
    }
    const byReference = ([reasoning, ...rest]: readonly object[]) => [
      { type: 'item_reference', id: (reasoning as { id: string }).id },
      ...rest,
    ]

    test('is taken when it comes back, whole or by its id', async () => {
      expect((await then({}, (items) => items))[0]).toBe(200)
      expect((await then({}, byReference))[0]).toBe(200)
      expect((await then(encrypted, (items) => items))[0]).toBe(200)
    })
    test('is refused when it is left out', async () => {
      for (const more of [{}, encrypted]) {
        const [status, text] = await then(more, (items) => items.slice(1))
        expect([status, text]).toEqual([400, expect.stringContaining('missing before it')])
      }
    })
    test('is refused when it comes back changed', async () => {
      const [status, text] = await then(encrypted, ([reasoning, ...rest]) => [
        { ...reasoning, encrypted_content: 'other' },
        ...rest,
      ])
      expect([status, text]).toEqual([400, expect.stringContaining('was not given out here')])
    })
    test('cannot be referred to where nothing is kept', async () => {
      expect((await then(encrypted, byReference))[0]).toBe(404)
      const [status, text] = await then({ store: false }, (items) => items)
      expect([status, text]).toEqual([404, expect.stringContaining('no encrypted content')])
    })
    test('is refused when nothing follows it', async () => {
      const { output: items } = await first(wire, {})
      const input = [asks, (items as object[])[0]]
      const { status, text } = await post(server, wire, { ...hello[wire], input })
      expect([status, text]).toEqual([400, expect.stringContaining('is not followed')])
    })
    test('is part of the conversation that a response is the end of', async () => {
      const { id } = await first(wire, {})
      const request = { ...hello[wire], previous_response_id: id }
      expect((await post(server, wire, { ...request, input: [output('c1')] })).status).toBe(200)
      expect((await post(server, wire, { ...request, input: 'Never mind.' })).status).toBe(400)
    })
  })
})

describe.each(wireNames)('over %s', (wire) => {
  const good = hello[wire]

  test('a body that is no JSON object is refused', async () => {
    for (const body of ['{"model":', '[]']) {
      const { status, text } = await post(server, wire, body)
      expect([status, text]).toEqual([400, expect.stringContaining('no JSON object')])
    }
  })

  test('a request without a key is refused', async () => {
    expect((await post(server, wire, good, { 'anthropic-version': '2023-06-01' })).status).toBe(401)
  })

  test("a model of another provider's is refused", async () => {
    const model = wire === 'anthropic.messages' ? 'gpt-5' : 'claude-sonnet-4-5'
    const { status, text } = await post(server, wire, { ...good, model })
    expect([status, text]).toEqual([404, expect.stringContaining(model)])
  })

  test('only the models that a server was given are known', async () => {
    await using small = await wireServer({ script: ['Yes.'], models: ['house-1'] })
    expect((await post(small, wire, good)).status).toBe(404)
    expect((await post(small, wire, { ...good, model: 'house-1' })).status).toBe(200)
  })

  test('a refused request uses up no step', async () => {
    await using one = await wireServer({ script: ['Yes.'] })
    await post(one, wire, { ...good, model: '' })
    expect(one.remaining()).toBe(1)
    expect((await post(one, wire, good)).status).toBe(200)
    expect(one.remaining()).toBe(0)
    const { status, text } = await post(one, wire, good)
    expect([status, text]).toEqual([400, expect.stringContaining('The script has 1 steps')])
  })
})

test("Anthropic's version header is needed", async () => {
  const { status, text } = await post(server, 'anthropic.messages', hello['anthropic.messages'], {
    'x-api-key': 'none',
  })
  expect([status, text]).toEqual([400, expect.stringContaining('anthropic-version')])
})

test('other addresses are not found', async () => {
  for (const path of ['/v1/models', '/chat/completions'])
    expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${server.url}/v1/messages`)).status).toBe(404)
})
