import { describe, expect, test } from 'vitest'
import { approvalDecisionBody } from '../../src/protocol/approvals/approval-decision.ts'
import { type Body, defineBody } from '../../src/protocol/body.ts'
import { namedBodies } from '../../src/protocol/named-bodies.ts'
import { faultSentence, parseBody, parseBodyText } from '../../src/protocol/parse-body.ts'
import { type RunRequest, runRequestBody } from '../../src/protocol/run/run-request.ts'
import { toolProgressBody } from '../../src/protocol/tool-executions/tool-progress.ts'
import { toolResultBody } from '../../src/protocol/tool-executions/tool-result.ts'

const request: RunRequest = { provider: 'docs', model: 'small', input: 'Where?' }
const definition = { name: 'lookup', description: 'Looks up.', inputSchema: {} }
const identity = { executionId: 'e1', runId: 'r1', callId: 'c1' }

/** Where a body finds faults. */
function places(body: Body<object>, value: unknown): string[] {
  const result = parseBody(body, value)
  return result.ok ? [] : result.faults.map(({ pointer }) => pointer)
}

function requestPlaces(members: Record<string, unknown>): string[] {
  return places(runRequestBody, { ...request, ...members })
}

function definitions(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ ...definition, name: `tool_${index}` }))
}

const long = 'x'.repeat(100_000)
const message = { role: 'user', content: 'Hello' }
const approvals = { mode: 'interactive', idlePolicy: 'pause', expiresAfterMs: 2_147_483_647 }
const names = (count: number) => Array.from({ length: count }, (_, index) => `name_${index}`)

describe('a request for a run', () => {
  const bounded = new Set<string>()

  test('needs a provider, a model and an input, and names a key that it does not know', () => {
    expect(places(runRequestBody, {})).toEqual(['/provider', '/model', '/input'])
    expect(requestPlaces({ apiKey: 'x' })).toEqual(['/apiKey'])
    expect(requestPlaces({ applicationTools: [{ ...definition, command: 'ls' }] })).toEqual([
      '/applicationTools/0/command',
    ])
    expect(requestPlaces({ session: { id: 's', secret: 1 } })).toEqual(['/session/secret'])
  })

  test('declares 1 to 32 functions', () => {
    expect(requestPlaces({ applicationTools: definitions(32) })).toEqual([])
    expect(requestPlaces({ applicationTools: definitions(33) })).toEqual(['/applicationTools'])
    expect(requestPlaces({ applicationTools: [] })).toEqual(['/applicationTools'])
  })

  test('declares a function by a name, what it is for, what it takes, and if need be what it gives and a review [application-tools/definition-fields]', () => {
    const declared = (members: object) =>
      requestPlaces({ applicationTools: [{ ...definition, ...members }] }).map((place) => place.split('/')[3])
    expect(declared({ outputSchema: {}, requiresApproval: true })).toEqual([])
    for (const key of ['name', 'description', 'inputSchema']) expect(declared({ [key]: 7 })).toEqual([key])
    expect(places(runRequestBody, { ...request, applicationTools: [{}] })).toHaveLength(3)
    expect(declared({ outputSchema: true, requiresApproval: 'no' })).toEqual([
      'outputSchema',
      'requiresApproval',
    ])
    expect(declared({ description: 'x'.repeat(10_000) })).toEqual([])
    for (const description of ['', 'x'.repeat(10_001)])
      expect(declared({ description })).toEqual(['description'])
    expect(declared({ url: 'https://example.com' })).toEqual(['url'])
  })

  test.each(['_', `_${'a'.repeat(63)}`, 'lookup_2'])('takes the name %s', (name) => {
    expect(requestPlaces({ tools: [name], applicationTools: [{ ...definition, name }] })).toEqual([])
  })

  test.each(['', 'a'.repeat(65), '2nd', 'look-up', 'größe', 'a.b'])('refuses the name "%s"', (name) => {
    expect(requestPlaces({ tools: [name], applicationTools: [{ ...definition, name }] }).sort()).toEqual([
      '/applicationTools/0/name',
      '/tools/0',
    ])
  })

  test.each([
    ['maxSteps', [1, 64], [0, 65, 1.5, '8']],
    ['maxOutputTokens', [1, 65_536], [0, 65_537]],
    ['idleTimeoutMs', [0, 2_147_483_647], [-1, 2_147_483_648]],
    ['model', ['a/b:c_d-e.f[1]', 'x'.repeat(200)], ['', 'a b', 'x'.repeat(201)]],
    ['provider', ['a'.repeat(80), '0.a_b-c'], ['a'.repeat(81), '.a', 'a/b']],
    ['idempotencyKey', ['a:b.c_d-e'], ['', '-a', 'a'.repeat(129)]],
    ['input', ['x'.repeat(100_000)], ['', 'x'.repeat(100_001)]],
    ['instructions', ['', 'x'.repeat(100_000)], ['x'.repeat(100_001)]],
    ['history', [Array(100).fill(message)], [Array(101).fill(message), [{ ...message, role: 'system' }]]],
    ['history', [[{ ...message, content: long }]], [[{ ...message, content: `${long}x` }]]],
    ['session', [{ id: 'x'.repeat(256), revision: 0 }], [{ id: 'x'.repeat(257) }, { id: 's', revision: -1 }]],
    ['approvals', [approvals], [{ ...approvals, expiresAfterMs: 2_147_483_648 }]],
    ['tools', [[], names(32)], [['a', 'a'], 'a', names(33)]],
    ['requiredCapabilities', [names(32), ['x'.repeat(80)]], [['a', 'a'], [''], names(33), ['x'.repeat(81)]]],
    ['outputSchema', [{}], [true, []]],
    ['onDisconnect', ['cancel', 'keep'], ['ignore']],
    ['onToolFailure', ['tell', 'fail'], [true]],
  ])('bounds %s [application-tools/limit-request-fields]', (key, good, bad) => {
    expect(good.flatMap((value) => requestPlaces({ [key]: value }))).toEqual([])
    expect(bad.filter((value) => requestPlaces({ [key]: value }).length === 0)).toEqual([])
    bounded.add(key)
  })

  test('bounds every field that it knows [application-tools/limit-request-fields]', () => {
    const known = Object.keys(runRequestBody.schema.properties as object)
    expect([...bounded, 'applicationTools', 'metadata'].sort()).toEqual(known.sort())
  })

  test('bounds metadata by keys, their characters, and the characters of values [application-tools/limit-request-fields]', () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, '']))
    expect(requestPlaces({ metadata: { ['k'.repeat(80)]: 'v'.repeat(500) } })).toEqual([])
    for (const metadata of [many, { ['k'.repeat(81)]: '' }, { k: 'v'.repeat(501) }, { k: 1 }]) {
      expect(requestPlaces({ metadata })).toHaveLength(1)
    }
  })

  test('says of approvals what they do to the idle clock [application-tools/review-policy]', () => {
    expect(
      requestPlaces({ approvals: { mode: 'interactive', idlePolicy: 'pause', expiresAfterMs: 1 } }),
    ).toEqual([])
    expect(requestPlaces({ approvals: { mode: 'interactive' } })).toEqual(['/approvals/idlePolicy'])
    expect(
      requestPlaces({ approvals: { mode: 'interactive', idlePolicy: 'pause', expiresAfterMs: 0 } }),
    ).toEqual(['/approvals/expiresAfterMs'])
  })
})

describe('a result', () => {
  test('has exactly one of output and error; null is an output', () => {
    expect(places(toolResultBody, { ...identity, output: null })).toEqual([])
    expect(places(toolResultBody, { ...identity, error: 'APPLICATION_TOOL_FAILED' })).toEqual([])
    const both = { ...identity, output: 1, error: 'APPLICATION_TOOL_FAILED' }
    for (const value of [identity, both, { ...identity, output: 1, subject: 'ann' }]) {
      expect(places(toolResultBody, value)).not.toEqual([])
    }
  })

  test('with free text for an error is refused, and the text is not repeated', () => {
    const result = parseBody(toolResultBody, { ...identity, error: 'password=hunter2' })
    expect(result.ok).toBe(false)
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })
})

test('progress may say what, how far and with what, and no more', () => {
  expect(places(toolProgressBody, { ...identity, message: 'Half.', fraction: 0.5, output: [1] })).toEqual([])
  expect(places(toolProgressBody, { ...identity, fraction: 1.1 })).toEqual(['/fraction'])
  expect(places(toolProgressBody, { ...identity, percent: 5 })).toEqual(['/percent'])
})

test('only an approval can change arguments', () => {
  const call = { id: 'c1', name: 'lookup', arguments: {} }
  const decision = { approvalId: 'a1', runId: 'r1', call, editedArguments: {} }
  expect(places(approvalDecisionBody, { ...decision, decision: 'approve' })).toEqual([])
  expect(places(approvalDecisionBody, { ...decision, decision: 'deny' })).toEqual(['/decision'])
})

describe('ids', () => {
  test('have 1 to 256 UTF-16 code units wherever they stand [application-tools/limit-identifiers]', () => {
    const long = '𝄞'.repeat(128)
    expect(places(toolResultBody, { ...identity, callId: long, output: 1 })).toEqual([])
    expect(places(toolResultBody, { ...identity, callId: `${long}a`, output: 1 })).toEqual(['/callId'])
    expect(places(toolProgressBody, { ...identity, callId: '' })).toEqual(['/callId'])
    const page = namedBodies.find(({ name }) => name === 'PendingExecutions')!
    const call = { id: `${long}a`, name: 'lookup', arguments: { id: `${long}a` } }
    const one = { execution: { executionId: 'e', runId: 'r', call }, requestedAt: '2026-01-01T00:00:00Z' }
    const executions = [{ ...one, provider: 'p', model: 'm' }]
    expect(places(page, { executions })).toEqual(['/executions/0/execution/call/id'])
  })
})

describe('what is no plain JSON', () => {
  test.each([[undefined], [() => 1], [new Date(0)], [{ provider: Number.NaN }]])(
    'is a fault and no throw (%#)',
    (value) => {
      expect(places(runRequestBody, value)).toEqual([''])
    },
  )

  test('is refused as a text as well: a key twice, no JSON, too many bytes', () => {
    for (const text of ['{"provider":"a","provider":"b"}', '{', `"${'x'.repeat(2_000_000)}"`]) {
      expect(parseBodyText(runRequestBody, text)).toMatchObject({ ok: false, faults: [{ pointer: '' }] })
    }
    expect(parseBodyText(runRequestBody, JSON.stringify(request))).toEqual({ ok: true, value: request })
    expect(parseBodyText(runRequestBody, JSON.stringify(request), { bytesMax: 10 }).ok).toBe(false)
  })

  test('a key that would exchange a prototype stays a member of what it was in', () => {
    const any = defineBody<object>('Any', {})
    const text = '{"__proto__":{"isAdministrator":true}}'
    const result = parseBodyText(any, text)
    expect(JSON.stringify(result.ok && result.value)).toBe(text)
  })
})

test('faults become one sentence, which stays short whatever was written', () => {
  const result = parseBody(runRequestBody, { ...request, ['x'.repeat(9_000)]: 1, a: 1, b: 1, c: 1, d: 1 })
  const sentence = result.ok ? '' : faultSentence(result.faults)
  expect(sentence).toMatch(/; and 2 more\.$/)
  expect(sentence.length).toBeLessThan(1_000)
})
