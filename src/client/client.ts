import type { RunRequest } from '../protocol/run/run-request.ts'
import type { ClientOptions } from './client-options.ts'
import { type DiscoveryOperations, discoveryOperations } from './discovery-operations.ts'
import { Exchange } from './exchange.ts'
import { type RunOperations, runOperations } from './run-operations.ts'
import { type ServeOptions, serveTools } from './serve-tools.ts'
import type { ServedRun } from './served-run.ts'
import type { ServedTools } from './served-tool.ts'
import { type SessionOperations, sessionOperations } from './session-operations.ts'
import { type TicketOperations, ticketOperations } from './ticket-operations.ts'
import { type WorkOptions, workTools } from './work-tools.ts'

/**
 * A client of one host with one token. Redirects are not followed and cookies not sent; nothing but discovery has a
 * deadline, and nothing but `serveTools`, `workTools` and streams that say so is tried again (application-tools-details
 * 1.8). Errors are `HostError`s, but for the reason of a signal that aborts.
 */
export interface Client extends RunOperations, TicketOperations, DiscoveryOperations {
  readonly sessions: SessionOperations
  /**
   * Starts a run and executes its functions: those of `tools` by name, each either declared in the request or made by
   * `defineTool`, which fills in the definition. The run goes on while its events are read; `result()` reads them all.
   *
   * A function runs when its execution is requested, and no sooner; several may run at once. What it throws is told as
   * APPLICATION_TOOL_FAILED without a word more. A result whose receipt is lost is sent again under the same key. When the
   * iteration is closed, the run ends or the signal aborts, the signals of the functions abort and no result is sent.
   *
   * Errors: INVALID_REQUEST, and nothing is sent, when a function has no definition or a definition no function; those of
   * `stream`; what a result or a decision was refused with, unless the stream tells it.
   */
  serveTools(request: RunRequest, tools: ServedTools, options?: ServeOptions): ServedRun
  /**
   * Executes the functions of all the caller's runs, whoever started them, until the signal aborts; then it resolves. It
   * connects again with growing pauses whenever the host is gone. One process of a subject serves a function, by this or by
   * `serveTools`: two of them would both execute the same call. Errors: FORBIDDEN, UNAUTHORIZED, INVALID_STREAM.
   */
  workTools(tools: ServedTools, options?: WorkOptions): Promise<void>
}

/** Makes a client; nothing is sent yet. Errors: INSECURE_TRANSPORT, AUTH_REQUIRED; INVALID_REQUEST for an option that is not known. */
export function createClient(options: ClientOptions): Client {
  const exchange = new Exchange(options)
  const runs = runOperations(exchange)
  const tickets = ticketOperations(exchange)
  const { clock, random } = exchange
  const parts = { clock, random, runs, tickets }
  return Object.freeze<Client>({
    ...runs,
    ...tickets,
    ...discoveryOperations(exchange),
    sessions: sessionOperations(exchange),
    serveTools: (request, tools, serveOptions) => serveTools(parts, request, tools, serveOptions),
    workTools: (tools, workOptions) => workTools(parts, tools, workOptions),
  })
}
