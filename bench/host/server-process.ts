import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../dist/client.js'
import type { Said, Serves } from './program.ts'
import { token } from './requests.ts'

/** A server in a process of its own, so that its memory and its time are its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  /** What it has of the machine's memory now. */
  residentBytes(): Promise<number>
}

/** Starts one on a free port. */
export async function serverProcess(serves: Serves): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL('program.ts', import.meta.url)), [serves])
  const { url } = await heard(child, 'url')
  return {
    url,
    residentBytes: async () => {
      child.send('weigh')
      return (await heard(child, 'residentBytes')).residentBytes
    },
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

/** A client of a host that was started so. */
export function clientOf({ url }: ServerProcess): Client {
  return createClient({ baseUrl: url, token })
}

/** One POST to a bare server, to the last byte of its answer. */
export async function postBare({ url }: { readonly url: string }): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body: bareBody })
  const { length } = await response.text()
  if (length !== bareBody.length) throw new Error(`The bare server answered with ${length} characters.`)
}

/** A bare server that tells on an open stream what is posted to it. */
export interface Echo extends AsyncDisposable {
  /** Milliseconds of one POST until the stream has told it. */
  post(): Promise<number>
}

/** Opens the stream. */
export async function bareEcho({ url }: ServerProcess): Promise<Echo> {
  const leave = new AbortController()
  const { body } = await fetch(`${url}/echo`, { signal: leave.signal })
  const reader = body?.getReader()
  if (reader === undefined) throw new Error('The bare server opened no stream.')
  await reader.read()
  let answer = Promise.resolve()
  return {
    post: async () => {
      await answer
      const startedAt = performance.now()
      answer = postBare({ url: `${url}/echo` })
      for (let told = ''; !told.endsWith('\n\n'); ) {
        const { value } = await reader.read()
        told += new TextDecoder().decode(value)
      }
      return performance.now() - startedAt
    },
    [Symbol.asyncDispose]: async () => {
      await answer
      leave.abort()
    },
  }
}

/** About as long as a result of the tool, and its receipt. */
const bareBody = JSON.stringify({ output: 'x'.repeat(200) })

async function heard<Key extends 'url' | 'residentBytes'>(child: ChildProcess, key: Key) {
  const stop = new AbortController()
  const { signal } = stop
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error('The server ended before it was asked to.')
  })
  const [said] = (await Promise.race([once(child, 'message', { signal }), exit])) as [Said]
  exit.catch(() => undefined)
  stop.abort()
  if (!(key in said)) throw new Error(`The server did not say its ${key}.`)
  return said as Extract<Said, Record<Key, unknown>>
}
