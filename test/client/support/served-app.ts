import { createClient } from '../../../src/client/client.ts'
import type { ClientOptions } from '../../../src/client/client-options.ts'
import type { RunRequest } from '../../../src/protocol/run/run-request.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost } from '../../../src/server/host.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'
import { serve } from '../../../src/server/http/serve.ts'
import { baseline, proposing } from '../../server/support/baseline.ts'

export const appToken = 'application-token-application-token'

const review = [{ name: '*', requiresApproval: false }]

/** The calls that the model proposes, and what else is not as usual. */
export interface ServedAppOptions extends Partial<HostOptions> {
  readonly calls?: Parameters<typeof proposing>[0]
}

export const oneLookup = [{ id: 'lookup-one', name: 'lookup', args: { query: 'solar' } }]

/** A host with one application, served, and what its application has of it. */
export async function servedApp({ calls = oneLookup, ...options }: ServedAppOptions = {}) {
  const asked = { count: 0 }
  const host = createHost({
    providers: { double: { models: { small: proposing(calls, asked) } } },
    applicationTools: { enabled: true, requireApproval: false },
    approvals: { interactive: true },
    ...options,
  })
  const grants = { providers: ['double'], tools: ['*'], applicationTools: review, approveTools: ['*'] }
  const sessions = ['create', 'read', 'continue', 'delete'] as const
  const token = { token: appToken, subject: 'app', ...grants, sessions: [...sessions] }
  const running = await serve(host, { port: 0, tokens: [token] })
  return {
    asked,
    running,
    client: (over: Partial<ClientOptions> = {}) =>
      createClient({ baseUrl: running.url, token: appToken, ...over }),
    [Symbol.asyncDispose]: () => running.close(),
  }
}

/** The usual request without its tools: those come from `defineTool`. */
export const plainRequest: RunRequest = {
  provider: baseline.provider,
  model: baseline.model,
  input: baseline.input,
}

/** All events of a stream. */
export async function drained(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  return await Array.fromAsync(events)
}

/** What promises later, seen from outside. */
export function gate(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>()
}
