import type { ProviderInfo, ProviderList } from '../../protocol/host/provider-list.ts'
import type { HostOptions, ProviderOptions } from '../host-options.ts'
import { defaultCapabilities } from '../runs/preflight.ts'
import { mayUseProvider, type Who } from '../who.ts'

/** The providers that the caller may use. Nothing is asked of them: whether they answer is not known. */
export function providerList({ providers }: HostOptions, who: Who): ProviderList {
  const granted = Object.entries(providers).filter(([name]) => mayUseProvider(who, name))
  return { providers: granted.map(([name, provider]) => infoOf(name, provider)) }
}

/** Of models that a function makes, no list is known. */
function infoOf(
  provider: string,
  { models, capabilities = defaultCapabilities }: ProviderOptions,
): ProviderInfo {
  const isList = typeof models !== 'function'
  return {
    provider,
    models: isList ? Object.keys(models) : [],
    modelsComplete: isList,
    capabilities,
    health: { status: 'unknown' },
  }
}
