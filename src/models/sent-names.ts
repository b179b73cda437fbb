import type { DriverRequest, ModelMessage } from '../core/driver.ts'
import { type ProviderNames, providerNames } from '../core/lint/provider-names.ts'

/**
 * The names that the model is shown for a request's tools, and for those that only its history names: a provider
 * checks the names of past calls too. Throws INVALID_ARGUMENT when two names cannot be told apart.
 */
export function sentNames({ tools, messages }: DriverRequest): ProviderNames {
  return providerNames([...tools.map(({ name }) => name), ...messages.flatMap(namesIn)])
}

function namesIn(message: ModelMessage): string[] {
  switch (message.role) {
    case 'assistant':
      return message.parts.flatMap((part) => (part.kind === 'call' ? [part.name] : []))
    case 'tool':
      return message.results.map(({ name }) => name)
    default:
      return []
  }
}
