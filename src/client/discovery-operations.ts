import type { Body } from '../protocol/body.ts'
import { type ProtocolInfo, protocolInfoBody } from '../protocol/host/protocol-info.ts'
import { type ProviderList, providerListBody } from '../protocol/host/provider-list.ts'
import { HostError } from '../protocol/host-error.ts'
import type { Route } from '../protocol/route.ts'
import { routes } from '../protocol/routes.ts'
import { ask } from './ask.ts'
import { clientBounds } from './bounds.ts'
import type { RequestOptions } from './client-options.ts'
import type { Exchange } from './exchange.ts'
import { readOptions } from './read-options.ts'

/** What a client asks a host about itself. Errors of each: TIMEOUT after 10 seconds. */
export interface DiscoveryOperations {
  /** What the host does, within which bounds, and what the caller may do. */
  protocol(options?: RequestOptions): Promise<ProtocolInfo>
  /** The providers that the caller may use. */
  providers(options?: RequestOptions): Promise<ProviderList>
}

/** What a client asks a host about itself, over one way to it. */
export function discoveryOperations(exchange: Exchange): DiscoveryOperations {
  return {
    protocol: async (options) =>
      await askInTime(
        exchange,
        routes.readProtocol,
        protocolInfoBody,
        readOptions(options, 'client.protocol()'),
      ),
    providers: async (options) =>
      await askInTime(
        exchange,
        routes.listProviders,
        providerListBody,
        readOptions(options, 'client.providers()'),
      ),
  }
}

async function askInTime<Answer>(
  exchange: Exchange,
  route: Route,
  answer: Body<Answer>,
  { signal }: RequestOptions,
): Promise<Answer> {
  const { discoveryTimeoutMs } = clientBounds
  const late = new AbortController()
  const stop = exchange.clock.timer(discoveryTimeoutMs, () => {
    const text = `The host did not answer within ${discoveryTimeoutMs / 1_000} seconds.`
    late.abort(new HostError('TIMEOUT', text, { retryable: true }))
  })
  try {
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    return await ask(exchange, { route, answer, signal: either })
  } finally {
    stop()
  }
}
