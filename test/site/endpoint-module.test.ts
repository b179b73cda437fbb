import { expect, test } from 'vitest'
import { endpointModule } from '../../site/src/endpoint-module.ts'
import { listen } from './site-server.ts'

const reader = { key: 'sk-of-the-reader', model: 'm' }

test('the key goes with requests below the base URL only', async () => {
  const server = await listen((_request, _body, response) => void response.end('{}'))
  try {
    const { endpoint } = endpointModule({ ...reader, baseUrl: `${server.origin}/v1` })
    await endpoint.fetch(`${endpoint.baseURL}/models`)
    for (const path of ['/v2/models', '/v1/../other', '/v1models'])
      await expect(endpoint.fetch(`${server.origin}${path}`)).rejects.toThrow('The key is for')
    await expect(endpoint.fetch('http://127.0.0.1:1/v1/models')).rejects.toThrow('The key is for')
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toContain(`Bearer ${reader.key}`)
    expect(JSON.stringify(endpoint)).not.toContain(reader.key)
  } finally {
    await server.close()
  }
})

test('a server that sends the key elsewhere is not followed', async () => {
  const thief = await listen((_request, _body, response) => void response.end('{}'))
  const server = await listen((_request, _body, response) => {
    response.writeHead(307, { location: `${thief.origin}/v1/models` }).end()
  })
  try {
    const { endpoint } = endpointModule({ ...reader, baseUrl: server.origin })
    await expect(endpoint.fetch(`${server.origin}/models`)).rejects.toThrow()
    expect(thief.received).toEqual([])
  } finally {
    await Promise.all([server.close(), thief.close()])
  }
})
