import { token } from './host-orders.ts'

/** An answer of the host, read whole. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  /** Of an error. */
  readonly code?: string
}

/** Asks a host as any program would, with nothing of a client between. */
export async function ask(url: string, path: string, body?: object): Promise<Answer> {
  const response = await send(url, path, body)
  const given = (await response.json()) as { readonly error?: { readonly code: string } }
  const code = given.error?.code
  return { status: response.status, body: given, ...(code === undefined ? {} : { code }) }
}

/** Opens a stream of events. Errors: whatever the host answers instead. */
export async function openStream(
  url: string,
  path: string,
  { body, lastEventId }: { readonly body?: object; readonly lastEventId?: string | undefined } = {},
): Promise<Response> {
  const place: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await send(url, path, body, { accept: 'text/event-stream', ...place })
  if (response.ok) return response
  throw new WireRefusal(((await response.json()) as { error: { code: string } }).error.code)
}

/** A stream that the host refused. */
export class WireRefusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The host refused a stream: ${code}.`)
    this.code = code
  }
}

function send(
  url: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = `Bearer ${token}`
  if (body === undefined) return fetch(`${url}${path}`, { headers: { ...headers, authorization } })
  return fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, authorization, 'content-type': 'application/json' },
  })
}
