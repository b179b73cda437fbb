import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { isHostError } from '../../src/protocol/host-error.ts'
import type { RunRequest } from '../../src/protocol/run/run-request.ts'
import type { RunEvent } from '../../src/protocol/stream/run-event.ts'
import { VectorPeer } from './support/vector-peer.ts'
import { bytesOf, eventsOf, template, type Vector, vectors } from './support/vectors.ts'

/** What the vectors are about, by the beginnings of their names; a vector belongs to the first that fits. */
const groups: readonly (readonly [about: string, names: RegExp])[] = [
  [
    'fragments, line ends and marks [application/I1]',
    /^(bytes|crlf|cr-|byte-order|comments|many-wide|no-space)/,
  ],
  ['the bound of a frame [application/I2]', /^(frame-at|wide-|comment-over|lines-over|endless)/],
  [
    'a missing end and bad content [application/I3]',
    /^(empty|only-|no-end|unterm|cut-|dropped|bad-|json-|overlong|surrogate|null-|array-|text-)/,
  ],
  [
    'another version and unknown errors [application/I6]',
    /^(later-version|several-v|no-version|error-(later|uncertain|untyped|half|endless))/,
  ],
  ['an execution state', /^execution-status/],
  ['executions [application/I7]', /^execution/],
  [
    'receipts [application/I10]',
    /^(result-(receipt|null-output|not-found)|result$|progress(-receipt|$)|failure|decision|approval-(decided|deny|cancel))/,
  ],
  ['redirects [application/H5] [application/I12]', /^redirect/],
  ['content types, and a client that leaves [application/I12]', /^(content-type|closed-by)/],
  [
    'order, identity and types [application/I4]',
    /^(not-started|optional-before|started|sequence|other-run|run-id|timestamp|type|result-|usage|delta|step|phase|progress-fraction|error-|completed-|called-)/,
  ],
  ['safe addresses [application/H6]', /^address/],
  ['everything else', /^/],
]

const byGroup = Map.groupBy(vectors.cases, ({ id }) => groups.find(([, names]) => names.test(id))![0])

const peer = new VectorPeer()
beforeAll(() => peer.listen())
afterAll(() => peer.close())

interface Played {
  readonly delivered: RunEvent[]
  readonly answer?: unknown
  readonly fault?: unknown
}

async function play(vector: Vector): Promise<Played> {
  const delivered: RunEvent[] = []
  try {
    return { delivered, answer: await perform(vector, delivered) }
  } catch (fault) {
    return { delivered, fault }
  }
}

async function perform(vector: Vector, delivered: RunEvent[]): Promise<unknown> {
  const { operation, id, baseUrl = peer.baseUrl(id), token = vectors.token } = vector
  const client = createClient({ baseUrl, token })
  if (operation === 'construct') return undefined
  if (operation !== 'stream') return await operations[operation]!(client, vector)
  for await (const event of client.stream(requestOf(vector))) {
    delivered.push(event)
    if (delivered.length === vector.stopAfter) break
  }
}

function requestOf({ request = 'plain' }: Vector): RunRequest {
  return template('requests', request) as RunRequest
}

function inputOf({ operation, input = operation }: Vector): never {
  return template('inputs', input) as never
}

const operations: Readonly<Record<string, (client: Client, vector: Vector) => Promise<unknown>>> = {
  run: (client, vector) => client.run(requestOf(vector)),
  protocol: (client) => client.protocol(),
  providers: (client) => client.providers(),
  approval: (client, vector) => client.decideApproval(inputOf(vector)),
  result: (client, vector) => client.completeTool(inputOf(vector)),
  failure: (client, vector) => client.completeTool(inputOf(vector)),
  progress: (client, vector) => client.reportToolProgress(inputOf(vector)),
  execution: (client, vector) => client.executionStatus(inputOf(vector)),
}

function judge(vector: Vector, { delivered, answer, fault }: Played): void {
  const { expect: due, events, raw } = vector
  if (due.transport === true) expect(fault).toBeInstanceOf(Error)
  else judgeFault(due, fault)
  if (due.after !== undefined) expect(delivered).toHaveLength(due.after)
  if (due.json === true) expect(answer).toEqual(JSON.parse(bytesOf(vector).toString()))
  if (due.events === undefined) return
  expect(delivered).toHaveLength(due.events)
  if (due.last !== undefined) expect(delivered.at(-1)?.type).toBe(due.last)
  if (raw !== undefined) return
  expect(delivered).toEqual(eventsOf(events).filter((_, place) => due.skipped?.includes(place) !== true))
}

function judgeFault(due: Vector['expect'], fault: unknown): void {
  if (due.error === undefined) expect(fault).toBeUndefined()
  const { code, retryable, outcome } = isHostError(fault) ? fault : { code: fault }
  expect(code).toEqual(due.error)
  if (due.retryable !== undefined) expect(retryable).toBe(due.retryable)
  if (due.outcome !== undefined) expect(outcome).toBe(due.outcome)
}

async function judgePeer({ id, redirect, sent = {}, expect: due }: Vector): Promise<void> {
  const seen = peer.seen(id)
  if (due.untouched === true) {
    expect(seen.targetHits).toBe(0)
    expect(seen.requests).toHaveLength(redirect === undefined ? 0 : 1)
  }
  if (due.closed === true) await seen.closed.promise
  for (const [member, value] of Object.entries(sent)) {
    expect(seen.requests).toHaveLength(1)
    const given = seen.requests[0]![member] as Record<string, unknown>
    const isHeaders = member === 'headers'
    const shown = isHeaders
      ? Object.fromEntries(Object.keys(value as object).map((name) => [name, given[name] ?? null]))
      : given
    expect(shown).toEqual(value)
  }
}

describe.each(groups)('%s', (about) => {
  test.each(byGroup.get(about)!)(
    'the client keeps to $id: $says [application-tools/fixture-suite]',
    async (vector) => {
      judge(vector, await play(vector))
      await judgePeer(vector)
    },
  )
})
