import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelMessage } from '../core/driver.ts'
import { endOfTurn, pairedTurn } from './pair-results.ts'
import { type Conversion, type PromptFor, toMessage } from './prompt-message.ts'
import { areFrozen, beginsWith, conversationStart } from './same-beginning.ts'

/**
 * A conversation as the AI SDK's provider interface takes it: system messages first, every answer's calls followed
 * by their results, and the data that a provider attached to a part handed back with it. Tools stand in it by the
 * names that `toModel` gives; by default their own. What another provider's tools did is not in it.
 *
 * Throws INVALID_ARGUMENT where results and calls cannot be paired.
 */
export function toPrompt(
  messages: readonly ModelMessage[],
  given: Partial<PromptFor> = {},
): LanguageModelV4Prompt {
  const whom: PromptFor = { toModel: byItsOwnName, at: '', files: undefined, ...given }
  const start = conversationStart(messages)
  const front: LanguageModelV4Message[] = []
  addTurn({ system: front, prompt: [], whom }, messages.slice(0, start))
  const { system, prompt, lastTurn } = toSent(messages.slice(start), whom)
  const end = prompt.slice(lastTurn.prompt).map(copied)
  return front.concat(system.map(copied), prompt.slice(0, lastTurn.prompt), end)
}

/** A middleware may mark a prompt's end in place, for a provider's cache: what is kept must not bear the mark. */
function copied(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'system') return { ...message }
  return { ...message, content: message.content.map((part) => ({ ...part })) } as LanguageModelV4Message
}

const byItsOwnName = (name: string) => name

/** How much of a conversation was converted: so many messages, and what they came to. */
interface Place {
  readonly messages: number
  readonly system: number
  readonly prompt: number
}

/** A conversation as it is sent. */
interface Sent {
  readonly conversation: readonly ModelMessage[]
  readonly toModel: PromptFor['toModel']
  readonly at: string
  /** The system messages in its midst. */
  readonly system: LanguageModelV4Message[]
  readonly prompt: LanguageModelV4Message[]
  /** Where the last turn begins: it may grow before the conversation is sent again. */
  readonly lastTurn: Place
}

/** By the conversation's first message. A conversation is sent again with every step: only its end is new. */
const newestSent = new WeakMap<ModelMessage, Sent>()

const nothing: Place = { messages: 0, system: 0, prompt: 0 }

function toSent(
  conversation: readonly ModelMessage[],
  whom: PromptFor,
): Pick<Sent, 'system' | 'prompt' | 'lastTurn'> {
  const [first] = conversation
  if (first === undefined) return { system: [], prompt: [], lastTurn: nothing }
  const before = newestSent.get(first)
  const { toModel, at } = whom
  const isForSame = before?.toModel === toModel && before.at === at
  const known = isForSame ? knownOf(conversation, before) : nothing
  const system = before?.system.slice(0, known.system) ?? []
  const prompt = before?.prompt.slice(0, known.prompt) ?? []
  let lastTurn = before?.lastTurn ?? nothing
  for (let start = known.messages; start < conversation.length; ) {
    lastTurn = { messages: start, system: system.length, prompt: prompt.length }
    const end = endOfTurn(conversation, start)
    addTurn({ system, prompt, whom }, pairedTurn(conversation.slice(start, end)))
    start = end
  }
  const sent: Sent = { conversation, toModel, at, system, prompt, lastTurn }
  // Only what nobody can change in place is known by its identity.
  if (areFrozen(conversation, known.messages)) newestSent.set(first, sent)
  return sent
}

/** What of a conversation was sent before: all of it, or all but the last turn where that has grown since. */
function knownOf(conversation: readonly ModelMessage[], before: Sent): Place {
  const { length } = before.conversation
  const isOver = conversation.length === length || conversation[length]?.role === 'assistant'
  if (isOver && beginsWith(conversation, 0, before.conversation)) {
    return { messages: length, system: before.system.length, prompt: before.prompt.length }
  }
  const { lastTurn } = before
  return beginsWith(conversation, 0, before.conversation, lastTurn.messages) ? lastTurn : nothing
}

function addTurn(
  { system, prompt, whom }: Pick<Sent, 'system' | 'prompt'> & { readonly whom: PromptFor },
  turn: readonly ModelMessage[],
): void {
  const conversion: Conversion = { callData: new Map(), ...whom }
  for (const message of turn) {
    const converted = toMessage(message, conversion)
    if (converted !== undefined) (converted.role === 'system' ? system : prompt).push(converted)
  }
}
