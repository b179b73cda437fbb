import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WireServer, type WireStep, wireServer } from '../../../src/testing-wire.ts'
import { hello, post, wireNames } from './post.ts'

let server: WireServer

beforeAll(async () => {
  server = await wireServer({ script: () => 'Good.' })
})
afterAll(async () => {
  await server.close()
})

describe('the list of models', () => {
  const bearer = { authorization: 'Bearer none' }
  const anthropic = { 'x-api-key': 'none', 'anthropic-version': '2023-06-01' }
  const get = async (from: WireServer, path: string, headers: Record<string, string>) => {
    const response = await fetch(from.url + path, { headers })
    return [response.status, await response.json()] as const
  }

  test('is the one that the server was given, in the form of who asks', async () => {
    await using own = await wireServer({ script: [], models: ['house-1', 'house/2'] })
    expect(await get(own, '/v1/models', bearer)).toMatchObject([
      200,
      { object: 'list', data: [{ id: 'house-1', object: 'model' }, { id: 'house/2' }] },
    ])
    expect(await get(own, '/v1/models', anthropic)).toMatchObject([
      200,
      {
        data: [{ id: 'house-1', type: 'model', display_name: 'house-1' }, { id: 'house/2' }],
        has_more: false,
        first_id: 'house-1',
        last_id: 'house/2',
      },
    ])
    expect(await get(own, '/v1/models/house%2F2', bearer)).toMatchObject([200, { id: 'house/2' }])
    expect(await get(own, '/v1/models/gpt-5', bearer)).toMatchObject([
      404,
      { error: { code: 'model_not_found' } },
    ])
    expect(own.requests).toEqual([])
  })

  test("has some of the provider's when the server was given none, and each of them answers", async () => {
    const listed = async (headers: Record<string, string>) => {
      const [, { data }] = await get(server, '/v1/models', headers)
      return (data as { id: string }[]).map(({ id }) => id)
    }
    for (const [headers, wires] of [
      [bearer, ['openai.chat', 'openai.responses']],
      [anthropic, ['anthropic.messages']],
    ] as const) {
      const models = await listed(headers)
      expect(models).not.toEqual([])
      for (const wire of wires)
        for (const model of models)
          expect((await post(server, wire, { ...hello[wire], model })).status).toBe(200)
    }
    expect(await get(server, '/v1/models/claude-house', anthropic)).toMatchObject([
      200,
      { id: 'claude-house' },
    ])
    expect((await get(server, '/v1/models/claude-house', bearer))[0]).toBe(404)
  })

  test('needs a key', async () => {
    expect(await get(server, '/v1/models', {})).toMatchObject([
      401,
      { error: { type: 'invalid_request_error' } },
    ])
    const keyless = { 'anthropic-version': '2023-06-01' }
    expect(await get(server, '/v1/models', keyless)).toMatchObject([401, { type: 'error' }])
  })
})

test.each(wireNames)('over %s, a function that gives no step, or throws, is told in words', async (wire) => {
  let give = (): unknown => ({ callz: [] })
  await using own = await wireServer({ script: () => give() as WireStep })
  const says = async () => (await post(own, wire, hello[wire])).text
  expect(await says()).toContain('Step 1 of the script has no')
  give = () => {
    throw new Error('No idea.')
  }
  expect(await says()).toContain('The script failed: No idea.')
  give = () => 'Good.'
  expect((await post(own, wire, hello[wire])).status).toBe(200)
})
