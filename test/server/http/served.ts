import { expect } from 'vitest'
import { openApiDocument } from '../../../src/protocol/openapi.ts'
import { EventStreamParser, type StreamFrame } from '../../../src/protocol/stream/event-stream-parser.ts'
import type { ServeOptions } from '../../../src/server/config/serve-options.ts'
import { type RunningHost, serve } from '../../../src/server/http/serve.ts'
import { MemoryHost } from './memory-host.ts'

export const appToken = 'application-token-application-token'
export const poorToken = 'token-without-any-grant-at-all-token'

export const tokens = [
  { token: appToken, subject: 'app', providers: ['docs'], applicationTools: [{ name: 'lookup' }] },
  { token: poorToken, subject: 'poor' },
]

export const runRequest = { provider: 'docs', model: 'small', input: 'Find it.' }

const { paths } = openApiDocument() as { paths: Record<string, Record<string, { responses: object }>> }

/** Whatever status an operation answers with, the OpenAPI document lists it. */
export function expectDocumented(path: string, method: string, status: number): void {
  const [asked = ''] = path.split('?')
  const found = Object.keys(paths).filter((one) =>
    new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked),
  )
  const fixed = found.find((one) => !one.includes('{')) ?? found[0] ?? ''
  const responses = paths[fixed]?.[method.toLowerCase()]?.responses
  if (responses !== undefined) expect(Object.keys(responses), `${method} ${fixed}`).toContain(String(status))
}

/** A served host, and a way to ask it. */
export interface Served extends AsyncDisposable {
  readonly host: MemoryHost
  readonly running: RunningHost
  readonly faults: unknown[]
  /** Asks with the application's token; a body is sent as JSON. */
  ask(
    path: string,
    init?: RequestInit & { readonly json?: unknown; readonly token?: string | null },
  ): Promise<Response>
  /** Starts a run and reads its stream. */
  stream(request?: object): Promise<Frames>
}

export async function served(options: Partial<ServeOptions> = {}, host = new MemoryHost()): Promise<Served> {
  const faults: unknown[] = []
  const who = options.authentication === undefined ? { tokens } : {}
  const running = await serve(host, { port: 0, ...who, onFault: (fault) => faults.push(fault), ...options })
  const ask: Served['ask'] = async (path, { json, token = appToken, headers, ...init } = {}) => {
    const all = new Headers(headers)
    if (token !== null) all.set('authorization', `Bearer ${token}`)
    if (json !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
    const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    const answer = await fetch(`${running.url}${path}`, { ...body, ...init, headers: all })
    // What a test makes a host throw is of the test.
    if (host.fault === undefined)
      expectDocumented(path, init.method ?? (json === undefined ? 'GET' : 'POST'), answer.status)
    return answer
  }
  const stream = async (request: object = runRequest) => {
    const stop = new AbortController()
    const headers = { accept: 'text/event-stream' }
    return new Frames(await ask('/v1/runs', { json: request, headers, signal: stop.signal }), stop)
  }
  return { host, running, faults, ask, stream, [Symbol.asyncDispose]: () => running.close() }
}

/** What a response's body streams, frame by frame; comments are kept aside. */
export class Frames {
  readonly response: Response
  /** All text so far. */
  text = ''
  readonly #stop: AbortController
  readonly #frames: AsyncGenerator<StreamFrame, void>

  constructor(response: Response, stop = new AbortController()) {
    this.response = response
    this.#stop = stop
    this.#frames = this.#read()
  }

  /** The next event's JSON; undefined at the end. */
  async next(): Promise<
    { readonly type: string; readonly runId?: string; readonly id?: string } | undefined
  > {
    const { value } = await this.#frames.next()
    return value && { ...JSON.parse(value.data), ...(value.id !== undefined && { id: value.id }) }
  }

  /** The types of everything up to the end. */
  async rest(): Promise<string[]> {
    const types: string[] = []
    for (let event = await this.next(); event !== undefined; event = await this.next()) types.push(event.type)
    return types
  }

  leave(): void {
    this.#stop.abort()
  }

  async *#read(): AsyncGenerator<StreamFrame, void> {
    const parser = new EventStreamParser()
    for await (const chunk of this.response.body!) {
      this.text += Buffer.from(chunk).toString()
      yield* parser.read(chunk)
    }
    parser.end()
  }
}

/** The code of an answer that is no success. */
export async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } }
  return error.code
}

/** Waits for something that follows from what was done, turn by turn of the event loop. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo(); turn += 1) {
    if (turn > 100_000) throw new Error('It never came to be.')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
