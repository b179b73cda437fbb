import type { Clock } from '../../core/clock.ts'
import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonObject } from '../../core/json/value.ts'
import { approvalFiltersBody } from '../../protocol/approvals/approval-inbox.ts'
import type { Body } from '../../protocol/body.ts'
import { HostError } from '../../protocol/host-error.ts'
import { openApiDocument } from '../../protocol/openapi.ts'
import { type BodyResult, faultSentence, parseBody } from '../../protocol/parse-body.ts'
import { parseQuery } from '../../protocol/parse-query.ts'
import type { RouteName } from '../../protocol/routes.ts'
import { runCancelRequestBody, runFiltersBody } from '../../protocol/run/run-status.ts'
import { encodeEvent } from '../../protocol/stream/encode-event.ts'
import { executionFiltersBody } from '../../protocol/tool-executions/pending-executions.ts'
import type { Who } from '../who.ts'
import { eventHead, eventResponse, type FrameSource, type StreamParts } from './event-stream.ts'
import type { HostApi } from './host-api.ts'
import { readJson } from './read-body.ts'
import { runFrames, withFirstFrame } from './run-stream.ts'

/** A request that was let in, and what its answer is made with. */
export interface Asked {
  readonly host: HostApi
  readonly who: Who
  readonly request: Request
  /** A part of the path by the name that the route gives it. */
  readonly part: (name: string) => string
  readonly query: URLSearchParams
  /** Whether the request may come without a body. */
  readonly mayOmitBody: boolean
  readonly parts: StreamParts & { readonly clock: Clock }
}

type Operation = (asked: Asked) => Promise<Response>

/** What each address does, but for the one that is open to all. */
export const operations: Readonly<Record<Exclude<RouteName, 'readHealth'>, Operation>> = {
  readProtocol: async ({ host, who }) => json(host.protocolInfo(who)),
  listProviders: async ({ host, who }) => json(await host.providers(who)),
  readOpenApi: async () => json(openApiDocument()),
  startRun,
  listRuns: async ({ host, who, query }) => json(await host.listRuns(filters(runFiltersBody, query), who)),
  readRun: async ({ host, who, part }) => json(await host.runStatus(part('runId'), who)),
  followRun,
  cancelRun: async (asked) => {
    const { reason } = valid(parseBody(runCancelRequestBody, await bodyOf(asked)))
    return json(await asked.host.cancelRun(asked.part('runId'), asked.who, reason))
  },
  deleteRun: async ({ host, who, part }) => json(await host.deleteRun(part('runId'), who)),
  decideApproval: async (asked) => json(await asked.host.decideApproval(await bodyOf(asked), asked.who)),
  listApprovals: async ({ host, who, query }) =>
    json(await host.approvals(filters(approvalFiltersBody, query), who)),
  reportToolProgress: async (asked) =>
    json(await asked.host.reportToolProgress(await bodyOf(asked), asked.who)),
  completeTool: async (asked) => json(await asked.host.completeTool(await bodyOf(asked), asked.who)),
  listExecutions: async ({ host, who, query }) =>
    json(await host.pendingExecutions(filters(executionFiltersBody, query), who)),
  followExecutions,
  readExecution: async ({ host, who, part }) => json(await host.executionStatus(part('executionId'), who)),
  reconcileCall: async (asked) => json(await asked.host.reconcile(await bodyOf(asked), asked.who)),
  createSession: async (asked) => json(await asked.host.createSession(await bodyOf(asked), asked.who)),
  readSession: async (asked) => json(await asked.host.readSession(await bodyOf(asked), asked.who)),
  deleteSession: async (asked) => json(await asked.host.deleteSession(await bodyOf(asked), asked.who)),
}

async function startRun(asked: Asked): Promise<Response> {
  const { host, who, request } = asked
  const body = await bodyOf(asked)
  const { signal } = request
  if (!acceptsEvents(request)) return json(await host.run(body, { ...who, signal }))
  return await streamed(asked, async () => withFirstFrame(runFrames(await host.startRun(body, who)), signal))
}

/** The first event may be days away: the answer begins without it. */
async function followRun(asked: Asked): Promise<Response> {
  const { host, who, request, part } = asked
  const runId = part('runId')
  if (isHead(request)) {
    await host.runStatus(runId, who)
    return eventHead()
  }
  const lastEventId = request.headers.get('last-event-id') ?? undefined
  return await streamed(asked, async () => runFrames(await host.followRun(runId, lastEventId, who)))
}

async function followExecutions(asked: Asked): Promise<Response> {
  const { host, who, request, parts } = asked
  // The same grant is asked for here, and refuses before the stream has begun.
  await host.pendingExecutions({ limit: 1 }, who)
  if (isHead(request)) return eventHead()
  return await streamed(asked, async () => {
    const stop = new AbortController()
    const frames = executionFrames(host, who, AbortSignal.any([stop.signal, parts.life.closing]))
    return { frames, close: () => stop.abort() }
  })
}

/** Answers with a stream, which has its place before anything is opened for it. Errors: CONNECTION_CAPACITY. */
async function streamed({ host, who, parts }: Asked, open: () => Promise<FrameSource>): Promise<Response> {
  const giveBack = host.takeStream(who)
  try {
    const source = await open()
    const close = () => {
      giveBack()
      source.close()
    }
    return eventResponse({ ...source, close }, parts)
  } catch (thrown) {
    giveBack()
    throw thrown
  }
}

/** Whether nobody would read the answer. */
function isHead({ method }: Request): boolean {
  return method === 'HEAD'
}

async function* executionFrames(
  host: HostApi,
  who: Who,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for await (const event of host.executionEvents(who, signal)) yield encodeEvent(event)
}

/** Whether a caller takes a stream. */
function acceptsEvents({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').toLowerCase().includes('text/event-stream')
}

async function bodyOf({ request, parts, mayOmitBody }: Asked): Promise<unknown> {
  return await readJson(request, parts.clock, mayOmitBody)
}

function filters<Value extends object>(body: Body<Value>, query: URLSearchParams): Value {
  return valid(parseQuery(body, query))
}

/** Errors: INVALID_REQUEST with everything that is wrong. */
function valid<Value>(result: BodyResult<Value>): Value {
  if (result.ok) return result.value
  throw new HostError('INVALID_REQUEST', faultSentence(result.faults))
}

/** A body of the protocol as an answer. */
export function json(body: object): Response {
  return new Response(stringifyJson(body as JsonObject), { headers: { 'content-type': 'application/json' } })
}
