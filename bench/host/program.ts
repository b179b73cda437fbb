import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createHost, serve } from '../../dist/host.js'
import { memoryStore, type Store, scriptedModel } from '../../dist/index.js'
import { argumentsOfStep, steps, toolName } from '../loop/task.ts'
import { temporaryStore } from '../loop/temporary-store.ts'
import { modelOf, provider, subject, token } from './requests.ts'

/** What is served: nothing but HTTP, or a host on one of the stores. */
export type Serves = 'bare' | 'memory' | 'sqlite'

/** What this program says to its parent. */
export type Said = { readonly url: string } | { readonly residentBytes: number }

const room = 5_000
const address = '127.0.0.1'

/** One call each step, then a sentence; where a run is stands in its history, so that runs can share the model. */
function asking(calls: number) {
  const script = Array.from({ length: calls }, (_, index) => ({
    calls: [{ name: toolName, args: JSON.parse(argumentsOfStep(index + 1)) }],
  }))
  return scriptedModel([...script, 'Done.'], { fromHistory: true })
}

async function serveHost(store: Store): Promise<string> {
  const host = createHost({
    providers: { [provider]: { models: { [modelOf(steps)]: asking(steps), [modelOf(1)]: asking(1) } } },
    applicationTools: { enabled: true, requireApproval: false, maxPending: room },
    approvals: { interactive: true, maxPending: room },
    limits: { concurrentRuns: room, concurrentRunsPerSubject: room },
    store,
  })
  const grants = {
    providers: [provider],
    applicationTools: [{ name: toolName, requiresApproval: false }],
    approveTools: [toolName],
  }
  const { url } = await serve(host, { port: 0, tokens: [{ token, subject, ...grants }] })
  return url
}

/** The same stack below: what it takes in it gives back, or tells on an open stream as well; another stream says one thing and stays open. */
async function serveNothing(): Promise<string> {
  const app = new Hono()
  app.post('/', async (context) => context.json(await context.req.json()))
  let echo: ReadableStreamDefaultController<Uint8Array> | undefined
  const encoder = new TextEncoder()
  app.post('/echo', async (context) => {
    const said = await context.req.json()
    echo?.enqueue(encoder.encode(`data: ${JSON.stringify(said)}\n\n`))
    return context.json(said)
  })
  app.get('/echo', () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        echo = controller
        controller.enqueue(encoder.encode(': open\n\n'))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  app.get('/stream', () => {
    const frame = new TextEncoder().encode(': open\n\n')
    const body = new ReadableStream({ start: (controller) => controller.enqueue(frame) })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  // A host does not replace the process's globals either.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  server.listen(0, address)
  await once(server, 'listening')
  return `http://${address}:${(server.address() as AddressInfo).port}`
}

/** What the process has of the machine's memory once the collector has been through. */
function residentBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage.rss()
}

function say(said: Said): void {
  process.send?.(said)
}

async function run(serves: Serves): Promise<void> {
  const file = serves === 'sqlite' ? temporaryStore() : undefined
  process.on('message', () => say({ residentBytes: residentBytes() }))
  process.on('disconnect', async () => {
    await file?.[Symbol.asyncDispose]()
    process.exit()
  })
  say({ url: serves === 'bare' ? await serveNothing() : await serveHost(file ?? memoryStore()) })
}

await run(process.argv[2] as Serves)
