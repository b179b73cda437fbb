import type { DriverRequest, ModelMessage, ToolSpecification } from '../core/driver.ts'
import { type ProviderNames, providerNames } from '../core/lint/provider-names.ts'
import { areFrozen, beginsWith } from './same-beginning.ts'
import { withoutSystem } from './without-system.ts'

interface NamesOfTools {
  readonly names: ReadonlySet<string>
  readonly sent: ProviderNames
  /** By its first message, the newest conversation that names no other tools. */
  readonly covered: WeakMap<ModelMessage, readonly ModelMessage[]>
}

/** The names of each list of tools: most requests of a conversation offer the same list. */
const keptNames = new WeakMap<readonly ToolSpecification[], NamesOfTools>()

/**
 * The names that the model is shown for a request's tools, and for those that only its history names: a provider
 * checks the names of past calls too. Throws INVALID_ARGUMENT when two names cannot be told apart.
 */
export function sentNames({ tools, messages }: DriverRequest): ProviderNames {
  const ofTools = keptNames.get(tools) ?? namesOfTools(tools)
  const { conversation } = withoutSystem(messages)
  const [first] = conversation
  if (first === undefined) return ofTools.sent
  const covered = ofTools.covered.get(first) ?? []
  const from = beginsWith(conversation, covered) ? covered.length : 0
  const others = othersIn(conversation, from, ofTools.names)
  if (others.size > 0) return providerNames([...ofTools.names, ...others])
  if (areFrozen(conversation, from)) ofTools.covered.set(first, conversation)
  return ofTools.sent
}

function namesOfTools(tools: readonly ToolSpecification[]): NamesOfTools {
  const names = new Set(tools.map(({ name }) => name))
  const made: NamesOfTools = { names, sent: providerNames([...names]), covered: new WeakMap() }
  // What could be changed in place must be looked at again.
  if (Object.isFrozen(tools)) keptNames.set(tools, made)
  return made
}

/** The names from a place on that are none of the tools'. */
function othersIn(messages: readonly ModelMessage[], from: number, known: ReadonlySet<string>): Set<string> {
  const others = new Set<string>()
  for (let index = from; index < messages.length; index += 1) {
    for (const name of namesIn(messages[index] as ModelMessage)) if (!known.has(name)) others.add(name)
  }
  return others
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
