import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../src/index.ts'
import { createHost } from '../../../src/server/host.ts'
import { sqlite } from '../../../src/sqlite.ts'
import { node } from '../../cli/fixture.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { appToken, Frames } from './served.ts'

const fixture = new URL('./fixtures/closing-host.ts', import.meta.url).pathname
const hangsMs = 240_000

const look = { name: 'look', description: 'Looks', inputSchema: { type: 'object' } }
const asking = { provider: 'docs', model: 'small', input: 'Go.', tools: ['look'], applicationTools: [look] }
const kept = { ...asking, onDisconnect: 'keep' }

interface OwnProcess extends Disposable {
  readonly child: ChildProcess
  readonly file: string
  said(): string
  ask(path: string, init?: { readonly json?: unknown; readonly accept?: string }): Promise<Response>
}

async function ownProcess(): Promise<OwnProcess> {
  const folder = temporaryFolder()
  const file = `${folder.path}/host.db`
  const child = spawn(node, [fixture, file, appToken], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let text = ''
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk) => {
      text += chunk
    })
  const [port] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [0])])
  if (port === 0) throw new Error(`The host did not start: ${text}`)
  const ask: OwnProcess['ask'] = async (path, { json, accept = 'text/event-stream' } = {}) =>
    await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${appToken}`, 'content-type': 'application/json', accept },
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    })
  const dispose = () => {
    child.kill('SIGKILL')
    folder.remove()
  }
  return { child, file, said: () => text, ask, [Symbol.dispose]: dispose }
}

/** Reads a stream up to an event, and gives its run. */
async function readTo(frames: Frames, type: string): Promise<string> {
  for (;;) {
    const event = await frames.next()
    if (event === undefined) throw new Error(`The stream ended before ${type}.`)
    if (event.type === type) return event.runId ?? ''
  }
}

test(
  'a host that closes under open streams ends them, and prints nothing',
  async () => {
    using host = await ownProcess()
    const { child, ask } = host
    const open = async (json: unknown) => new Frames(await ask('/v1/runs', { json }))
    const [waiting, leaving] = [await open(kept), await open(asking)]
    const runId = await readTo(waiting, 'tool.execution.requested')
    await readTo(leaving, 'tool.execution.requested')
    const silent = { ...asking, model: 'silent', tools: [], applicationTools: undefined }
    const streams = [
      ...[waiting, leaving],
      ...[await open({ ...silent, onDisconnect: 'keep' }), await open(silent)],
      new Frames(await ask(`/v1/runs/${runId}/events`)),
      new Frames(await ask('/v1/tool-executions/stream')),
    ]
    await readTo(streams[2]!, 'text.delta')
    // These wait for a result, without a stream; two of them in the queue.
    const plain = { ...silent, onDisconnect: 'keep' }
    const results = [plain, plain, plain, silent].map((json) =>
      ask('/v1/runs', { json, accept: 'application/json' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    for (let runs = 0; runs < 8; ) {
      const page = (await (await ask('/v1/runs', { accept: 'application/json' })).json()) as {
        runs: unknown[]
      }
      runs = page.runs.length
    }
    const ends = streams.map((each) =>
      each.rest().then(
        (types) => types.at(-1) ?? 'nothing more',
        () => 'broken off',
      ),
    )
    child.send('close')
    const [code] = await once(child, 'exit')
    expect(host.said()).toBe('')
    expect(code).toBe(0)
    expect(await Promise.all(ends)).not.toContain('broken off')
    expect(await ends[1]).toBe('run.cancelled')
    expect(await Promise.all(results)).toEqual(expect.arrayContaining([503]))
  },
  hangsMs,
)

test(
  'what a host left that was killed is taken up by the next one at once, without a lease to wait for',
  async () => {
    using killed = await ownProcess()
    const frames = new Frames(await killed.ask('/v1/runs', { json: kept }))
    const runId = await readTo(frames, 'tool.execution.requested')
    const ended = once(killed.child, 'exit')
    killed.child.kill('SIGKILL')
    await ended
    const store = sqlite(killed.file)
    const host = createHost({
      providers: { docs: { models: { small: scriptedModel(['done']) } } },
      applicationTools: { enabled: true, requireApproval: false },
      store,
    })
    await host.recover()
    expect(host.runs.liveRun(runId)?.run.runId).toBe(runId)
    const { executions } = await host.pendingExecutions({})
    expect(executions).toEqual([])
    await host.close({ graceMs: 0 })
    await store.close()
    await frames.rest().catch(() => undefined)
  },
  hangsMs,
)
