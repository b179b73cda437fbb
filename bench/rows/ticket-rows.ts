import type { Client } from '../../dist/client.js'
import { requestOf } from '../host/requests.ts'
import {
  bareEcho,
  clientOf,
  type Echo,
  postBare,
  type ServerProcess,
  serverProcess,
} from '../host/server-process.ts'
import { checkStock, steps } from '../loop/task.ts'
import { median } from '../measure.ts'
import { type Row, ratioRow } from '../row.ts'

const warmUps = 15
const rounds = 45
const peer = 'a bare POST through the same HTTP server'

/**
 * A ticket's round trip: from the request for an execution on a run's stream, through the POST of its result, to the event
 * that the call is completed. A round is a run of twenty tickets on each store, twenty bare POSTs, and twenty that a stream tells, in turns.
 */
export async function ticketRows(): Promise<Row[]> {
  await using bare = await serverProcess('bare')
  await using memory = await serverProcess('memory')
  await using sqlite = await serverProcess('sqlite')
  await using echo = await bareEcho(bare)
  const times = { bare: [] as number[], echo: [] as number[], memory: [] as number[], sqlite: [] as number[] }
  const onMemory = clientOf(memory)
  const onSqlite = clientOf(sqlite)
  const sides = [
    async () => times.bare.push(...(await postTimes(bare))),
    async () => times.echo.push(...(await echoTimes(echo))),
    async () => times.memory.push(...(await ticketTimes(onMemory))),
    async () => times.sqlite.push(...(await ticketTimes(onSqlite))),
  ]
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round === warmUps) for (const samples of Object.values(times)) samples.length = 0
    const first = round % sides.length
    for (const side of [...sides.slice(first), ...sides.slice(0, first)]) await side()
  }
  const peerMs = median(times.bare)
  const echoed = { peer: 'a bare POST that an open stream tells', peerMs: median(times.echo) }
  const posted = { peer, peerMs }
  const row = (name: string, samples: readonly number[], by: typeof echoed, budget?: number) =>
    ratioRow(
      name,
      { oursMs: median(samples), peerMs: by.peerMs },
      { peer: by.peer, runs: samples.length, ...(budget === undefined ? {} : { budget }) },
    )
  return [
    row('ticket round trip over loopback HTTP, memory store', times.memory, posted, 2.5),
    row('the same against what the wire alone takes', times.memory, echoed),
    row('the same on SQLite, synchronous FULL', times.sqlite, posted),
  ]
}

async function postTimes(bare: ServerProcess): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < steps; count += 1) {
    const startedAt = performance.now()
    await postBare(bare)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function echoTimes(echo: Echo): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < steps; count += 1) times.push(await echo.post())
  return times
}

async function ticketTimes(client: Client): Promise<number[]> {
  const times: number[] = []
  let startedAt = 0
  let receipt: Promise<unknown> | undefined
  for await (const event of client.stream(requestOf(steps))) {
    if (event.type === 'tool.execution.requested') {
      startedAt = performance.now()
      const { executionId, runId, call } = event.execution
      const output = checkStock(call.arguments as { sku: string; quantity: number })
      receipt = client.completeTool({ executionId, runId, callId: call.id, output })
    }
    if (event.type === 'tool.completed') {
      times.push(performance.now() - startedAt)
      await receipt
    }
  }
  if (times.length !== steps) throw new Error(`${times.length} of ${steps} calls were completed.`)
  return times
}
