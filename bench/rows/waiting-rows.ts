import type { Client } from '../../dist/client.js'
import { requestOf } from '../host/requests.ts'
import { clientOf, postBare, type ServerProcess, serverProcess } from '../host/server-process.ts'
import { type WaitingRun, waitingRun } from '../host/waiting-run.ts'
import { type Row, ratioRow } from '../row.ts'

const waiting = 1_000
const warmUps = 200
const atOnce = 16

interface Load {
  /** What each run, or each stream, adds to the server. */
  readonly bytesEach: number
  /** Milliseconds of each POST that decides, or of each bare one. */
  readonly posts: readonly number[]
}

interface HostLoad extends Load {
  /** Milliseconds from a decision's sending to its event on the run's stream. */
  readonly told: readonly number[]
}

/**
 * A thousand runs that wait for a person at the same time, each with its stream open: what they add to the host's memory,
 * and how long decisions take, sixteen at a time. Every run has to complete, with one execution.
 */
export async function waitingRows(): Promise<Row[]> {
  const bare = await bareLoad()
  const host = await hostLoad()
  const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(0)
  const post = `a bare POST, ${atOnce} at a time, beside as many open streams`
  const percentiles = (name: string, ours: readonly number[]) =>
    [50, 95].map((percent) => {
      const sides = { oursMs: percentile(ours, percent), peerMs: percentile(bare.posts, percent) }
      return ratioRow(`${name}, p${percent}`, sides, { peer: post, runs: ours.length })
    })
  return [
    {
      name: `${kilobytes(host.bytesEach)} KB that a run adds to its host while it waits, one of 1,000`,
      ratio: host.bytesEach / bare.bytesEach,
      peer: `an open stream of a bare server, ${kilobytes(bare.bytesEach)} KB`,
      runs: waiting,
    },
    ...percentiles('deciding an approval, 16 at a time of 1,000', host.posts),
    ...percentiles('the same until the stream tells it', host.told),
  ]
}

async function hostLoad(): Promise<HostLoad> {
  await using host = await serverProcess('memory')
  const client = clientOf(host)
  await decideAll(client, await startAll(client, warmUps))
  const before = await host.residentBytes()
  const runs = await startAll(client, waiting)
  const bytesEach = ((await host.residentBytes()) - before) / waiting
  const times = await decideAll(client, runs)
  const executed = await Promise.all(runs.map(({ execution }) => execution))
  if (new Set(executed).size !== waiting) throw new Error('An execution was asked for twice, or never.')
  return { bytesEach, ...times }
}

async function startAll(client: Client, count: number): Promise<WaitingRun[]> {
  const runs: WaitingRun[] = []
  await inTurns(count, async () => {
    const run = waitingRun(client, requestOf(1, { requiresApproval: true }))
    runs.push(run)
    await run.approval
  })
  return runs
}

async function decideAll(
  client: Client,
  runs: readonly WaitingRun[],
): Promise<{ posts: number[]; told: number[] }> {
  const posts: number[] = []
  const told: number[] = []
  await inTurns(runs.length, async (index) => {
    const run = runs[index] as WaitingRun
    const { approvalId, runId, call } = await run.approval
    const startedAt = performance.now()
    const post = client.decideApproval({ approvalId, runId, call, decision: 'approve' })
    const isPosted = post.then(() => posts.push(performance.now() - startedAt))
    told.push((await run.resolvedAt) - startedAt)
    await isPosted
    await run.execution
  })
  return { posts, told }
}

async function bareLoad(): Promise<Load> {
  await using bare = await serverProcess('bare')
  const leave = new AbortController()
  const open = () => openStream(bare, leave.signal)
  await inTurns(warmUps, open)
  await postTimes(bare, warmUps)
  const before = await bare.residentBytes()
  await inTurns(waiting, open)
  const bytesEach = ((await bare.residentBytes()) - before) / waiting
  const posts = await postTimes(bare, waiting)
  leave.abort()
  return { bytesEach, posts }
}

async function openStream({ url }: ServerProcess, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${url}/stream`, { signal })
  await response.body?.getReader().read()
}

async function postTimes(bare: ServerProcess, count: number): Promise<number[]> {
  const times: number[] = []
  await inTurns(count, async () => {
    const startedAt = performance.now()
    await postBare(bare)
    times.push(performance.now() - startedAt)
  })
  return times
}

/** Does something so many times, sixteen at a time. */
async function inTurns(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN
}
