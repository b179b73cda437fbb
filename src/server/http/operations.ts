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
import { eventResponse, type FrameSource, type StreamParts } from './event-stream.ts'
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
  const { host, who, request, parts } = asked
  const body = await bodyOf(asked)
  const { signal } = request
  if (!acceptsEvents(request)) return json(await host.run(body, { ...who, signal }))
  const source = runFrames(await host.startRun(body, who))
  return eventResponse(await withFirstFrame(source, signal), parts)
}

/** The first event may be days away: the answer begins without it. */
async function followRun({ host, who, request, part, parts }: Asked): Promise<Response> {
  const lastEventId = request.headers.get('last-event-id') ?? undefined
  return eventResponse(runFrames(await host.followRun(part('runId'), lastEventId, who)), parts)
}

async function followExecutions({ host, who, parts }: Asked): Promise<Response> {
  // The same grant is asked for here, and refuses before the stream has begun.
  await host.pendingExecutions({ limit: 1 }, who)
  const stop = new AbortController()
  const frames = executionFrames(host, who, AbortSignal.any([stop.signal, parts.life.closing]))
  return eventResponse({ frames, close: () => stop.abort() } satisfies FrameSource, parts)
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

async function bodyOf({ request, parts }: Asked): Promise<unknown> {
  return await readJson(request, parts.clock)
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
