import type { WireServer } from '../../../src/testing-wire.ts'

export const paths = {
  'openai.chat': '/v1/chat/completions',
  'openai.responses': '/v1/responses',
  'anthropic.messages': '/v1/messages',
} as const

export type WireName = keyof typeof paths

export const wireNames = Object.keys(paths) as WireName[]

const credentials = {
  authorization: 'Bearer none',
  'x-api-key': 'none',
  'anthropic-version': '2023-06-01',
}

/** Sends a request as a client without a library does. */
export async function post(
  server: WireServer,
  wire: WireName,
  body: unknown,
  headers: Record<string, string> = credentials,
): Promise<{ status: number; text: string; json: () => Record<string, never> }> {
  const response = await fetch(server.url + paths[wire], {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text, json: () => JSON.parse(text) }
}

/** The data of a stream's events; `[DONE]` as it is. */
export function eventsOf(text: string): Record<string, never>[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const data =
        frame
          .split('\n')
          .find((line) => line.startsWith('data: '))
          ?.slice(6) ?? ''
      return data === '[DONE]' ? { type: data } : JSON.parse(data)
    })
}

/** The smallest request of each wire that is right. */
export const hello: Record<WireName, object> = {
  'openai.chat': { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }], stream: true },
  'openai.responses': { model: 'gpt-5', input: [{ role: 'user', content: 'Hello' }], stream: true },
  'anthropic.messages': {
    model: 'claude-sonnet-4-5',
    max_tokens: 2048,
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  },
}
