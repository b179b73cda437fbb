import type { DriverRequest, ModelMessage, ToolSpecification } from '../core/driver.ts'
import { type ProviderNames, providerNames } from '../core/lint/provider-names.ts'
import { areFrozen, beginsWith, conversationStart } from './same-beginning.ts'

/** The names of tools and of all that a conversation calls. */
interface Named {
  readonly conversation: readonly ModelMessage[]
  readonly names: ReadonlySet<string>
  readonly sent: ProviderNames
}

interface NamesOfTools {
  readonly withoutHistory: Named
  /** By its first message, the newest conversation that was sent with these tools. */
  readonly newest: WeakMap<ModelMessage, Named>
}

/** The names of each list of tools: most requests of a conversation offer the same list. */
const keptNames = new WeakMap<readonly ToolSpecification[], NamesOfTools>()

/**
 * The names that the model is shown for a request's tools, and for those that only its history names: a provider
 * checks the names of past calls too. Throws INVALID_ARGUMENT when two names cannot be told apart.
 */
export function sentNames({ tools, messages }: DriverRequest): ProviderNames {
  const { withoutHistory, newest } = keptNames.get(tools) ?? namesOfTools(tools)
  const start = conversationStart(messages)
  const first = messages[start]
  if (first === undefined) return withoutHistory.sent
  const before = newest.get(first) ?? withoutHistory
  const known = beginsWith(messages, start, before.conversation) ? before : withoutHistory
  const from = start + known.conversation.length
  const { names, sent } = withOthers(known, othersIn(messages, from, known.names))
  if (areFrozen(messages, from)) newest.set(first, { conversation: messages.slice(start), names, sent })
  return sent
}

function namesOfTools(tools: readonly ToolSpecification[]): NamesOfTools {
  const names = new Set(tools.map(({ name }) => name))
  const withoutHistory = { conversation: [], names, sent: providerNames([...names]) }
  const made: NamesOfTools = { withoutHistory, newest: new WeakMap() }
  // What could be changed in place must be looked at again.
  if (Object.isFrozen(tools)) keptNames.set(tools, made)
  return made
}

function withOthers(known: Named, others: ReadonlySet<string>): Pick<Named, 'names' | 'sent'> {
  if (others.size === 0) return known
  const names = new Set([...known.names, ...others])
  return { names, sent: providerNames([...names]) }
}

/** The names of calls and results from a place on that are not known yet. */
function othersIn(messages: readonly ModelMessage[], from: number, known: ReadonlySet<string>): Set<string> {
  const others = new Set<string>()
  const note = ({ name }: { readonly name: string }) => {
    if (!known.has(name)) others.add(name)
  }
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index] as ModelMessage
    if (message.role === 'tool') message.results.forEach(note)
    if (message.role === 'assistant') for (const part of message.parts) if (part.kind === 'call') note(part)
  }
  return others
}
