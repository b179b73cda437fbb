import { HostError } from '../protocol/host-error.ts'
import { formatQuery } from '../protocol/parse-query.ts'
import { routes } from '../protocol/routes.ts'
import type { ReconcileReceipt, ReconcileRequest } from '../protocol/run/reconcile-request.ts'
import { reconcileReceiptBody } from '../protocol/run/reconcile-request.ts'
import { type RunDeleted, runDeletedBody } from '../protocol/run/run-deleted.ts'
import type { RunRequest } from '../protocol/run/run-request.ts'
import { type RunResult, runResultBody } from '../protocol/run/run-result.ts'
import {
  type RunCancelRequest,
  type RunFilters,
  type RunPage,
  type RunStatus,
  runPageBody,
  runStatusBody,
} from '../protocol/run/run-status.ts'
import { parseEventId } from '../protocol/stream/event-id.ts'
import type { RunEvent } from '../protocol/stream/run-event.ts'
import { ask } from './ask.ts'
import type { RequestOptions } from './client-options.ts'
import { ClosableStream } from './closable-stream.ts'
import type { Exchange } from './exchange.ts'
import { readOptions } from './read-options.ts'
import { runEvents } from './run-events.ts'

/** What a stream of a run takes. */
export interface StreamOptions extends RequestOptions {
  /**
   * Whether the stream goes on behind the last event when the connection breaks off: up to 10 times in a row without an
   * event, with growing pauses. Default false. Only a run with `onDisconnect: 'keep'` outlives its connection.
   */
  readonly reconnect?: boolean
}

/** What following a run takes. */
export interface FollowOptions extends StreamOptions {
  /** The id of the last event that was read; absent = from the beginning. */
  readonly lastEventId?: string
  /** What the run was started with, to hold its events against. */
  readonly request?: RunRequest
}

/** What a client does with runs. */
export interface RunOperations {
  /**
   * Starts a run when its first event is asked for, and gives its events, each checked, up to the terminal one
   * (application-tools-details 1.8). Closing the iteration, or aborting the signal, aborts the request, also while a read
   * waits: that read rejects with an `AbortError`.
   *
   * Errors beside the host's: INVALID_STREAM, UNSUPPORTED_EVENT, RESPONSE_TOO_LARGE, INVALID_RESPONSE, HTTP_ERROR,
   * UNSUPPORTED_PROTOCOL_VERSION; INCOMPLETE_STREAM, with an uncertain outcome when a call was given out.
   */
  stream(request: RunRequest, options?: StreamOptions): AsyncGenerator<RunEvent, void, undefined>
  /** The events of a run that was started earlier. Errors: those of `stream`, INVALID_REQUEST, RUN_NOT_FOUND. */
  follow(runId: string, options?: FollowOptions): AsyncGenerator<RunEvent, void, undefined>
  /**
   * Runs to the end without a stream. Errors: TOOL_STREAM_REQUIRED and APPROVAL_STREAM_REQUIRED, and then nothing is sent;
   * what the run failed with.
   */
  run(request: RunRequest, options?: RequestOptions): Promise<RunResult>
  /** Where a run is. Errors: RUN_NOT_FOUND. */
  runStatus(runId: string, options?: RequestOptions): Promise<RunStatus>
  /** The caller's runs, the newest first. */
  listRuns(filters?: RunFilters, options?: RequestOptions): Promise<RunPage>
  /** Stops a run. Errors: RUN_NOT_FOUND. */
  cancelRun(runId: string, options?: RequestOptions & RunCancelRequest): Promise<RunStatus>
  /** Ends a run and removes all that it recorded; its idempotency key is free then. Errors: RUN_NOT_FOUND, RUN_IN_SESSION, SESSION_BUSY. */
  deleteRun(runId: string, options?: RequestOptions): Promise<RunDeleted>
  /** Notes down what was found out about an uncertain call. Errors: RUN_NOT_FOUND, CALL_NOT_FOUND, CALL_NOT_UNCERTAIN. */
  reconcile(found: ReconcileRequest, options?: RequestOptions): Promise<ReconcileReceipt>
}

/** What a client does with runs, over one way to a host. */
export function runOperations(exchange: Exchange): RunOperations {
  return {
    stream: (request, options) => {
      const { signal, reconnect } = readOptions(options, 'client.stream()', ['reconnect'])
      return new ClosableStream((closing) => runEvents(exchange, { request, reconnect }, closing), signal)
    },
    follow: (runId, options = {}) => follow(exchange, runId, options),
    run: (request, options) => run(exchange, request, options),
    runStatus: async (runId, options) =>
      await ask(exchange, {
        ...readOptions(options, 'client.runStatus()'),
        route: routes.readRun,
        parts: { runId },
        answer: runStatusBody,
        echoes: { runId },
      }),
    listRuns: async (filters = {}, options) =>
      await ask(exchange, {
        ...readOptions(options, 'client.listRuns()'),
        route: routes.listRuns,
        query: formatQuery(filters),
        answer: runPageBody,
      }),
    cancelRun: async (runId, given) => {
      const { reason, ...options } = readOptions(given, 'client.cancelRun()', ['reason'])
      const body = reason === undefined ? {} : { reason }
      const echoes = { runId }
      const route = routes.cancelRun
      return await ask(exchange, { ...options, route, parts: { runId }, body, answer: runStatusBody, echoes })
    },
    deleteRun: async (runId, given) => {
      const options = readOptions(given, 'client.deleteRun()')
      const echoes = { runId }
      const route = routes.deleteRun
      return await ask(exchange, { ...options, route, parts: { runId }, answer: runDeletedBody, echoes })
    },
    reconcile: async (body, options) => {
      const echoes = { runId: body.runId, callId: body.callId, found: body.found }
      return await ask(exchange, {
        ...readOptions(options, 'client.reconcile()'),
        route: routes.reconcileCall,
        body,
        answer: reconcileReceiptBody,
        echoes,
      })
    },
  }
}

function follow(exchange: Exchange, runId: string, options: FollowOptions): ClosableStream<RunEvent> {
  const known = ['lastEventId', 'request', 'reconnect']
  const { lastEventId, request, reconnect, signal } = readOptions(options, 'client.follow()', known)
  const place = lastEventId === undefined ? undefined : parseEventId(lastEventId)
  if (lastEventId !== undefined && place === undefined) {
    throw new HostError('INVALID_REQUEST', 'The id of the last event is none that a host gave.')
  }
  const reading = {
    runId,
    lastEventId,
    reconnect,
    ...(request === undefined ? {} : { request }),
    ...(place === undefined ? {} : { after: place.sequence }),
  }
  return new ClosableStream((closing) => runEvents(exchange, reading, closing), signal)
}

async function run(exchange: Exchange, request: RunRequest, options?: RequestOptions): Promise<RunResult> {
  if (request.applicationTools !== undefined) throw new HostError('TOOL_STREAM_REQUIRED')
  if (request.approvals !== undefined) throw new HostError('APPROVAL_STREAM_REQUIRED')
  const { provider, model } = request
  const echoes = { provider, model }
  return await ask(exchange, {
    ...readOptions(options, 'client.run()'),
    route: routes.startRun,
    body: request,
    answer: runResultBody,
    echoes,
  })
}
