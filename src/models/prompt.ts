import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { AssistantPart, ModelMessage, ProviderData, ToolResultPart } from '../core/driver.ts'
import { endOfTurn, pairResults } from './pair-results.ts'
import { areFrozen, beginsWith } from './same-beginning.ts'
import { withoutSystem } from './without-system.ts'

type AnswerPart = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart
/** The provider's data of the calls that were made so far, by id. */
type CallData = Map<string, ProviderData | undefined>
type Rename = (name: string) => string

interface Conversion {
  readonly callData: CallData
  readonly toModel: Rename
}

/**
 * A conversation as the AI SDK's provider interface takes it: system messages first, every answer's calls followed
 * by their results, and the data that a provider attached to a part handed back with it. Tools stand in it by the
 * names that `toModel` gives; by default their own.
 *
 * Throws INVALID_ARGUMENT where results and calls cannot be paired.
 */
export function toPrompt(
  messages: readonly ModelMessage[],
  toModel: Rename = byItsOwnName,
): LanguageModelV4Prompt {
  const { system, conversation } = withoutSystem(messages)
  const front = system.map(({ text }): LanguageModelV4Message => ({ role: 'system', content: text }))
  return front.concat(toMessages(conversation, toModel))
}

const byItsOwnName: Rename = (name) => name

/** A conversation as it was sent, up to where its last turn begins: that one may have grown since. */
interface Sent {
  readonly messages: readonly ModelMessage[]
  readonly toModel: Rename
  readonly prompt: readonly LanguageModelV4Message[]
}

/** By the conversation's first message. A conversation is sent again with every step: only its end is new. */
const newestSent = new WeakMap<ModelMessage, Sent>()

function toMessages(messages: readonly ModelMessage[], toModel: Rename): LanguageModelV4Message[] {
  const sent = messages[0] && newestSent.get(messages[0])
  const known = sent?.toModel === toModel && beginsWith(messages, sent.messages) ? sent : undefined
  const prompt = known === undefined ? [] : known.prompt.slice()
  let start = known?.messages.length ?? 0
  while (start < messages.length) {
    const end = endOfTurn(messages, start)
    if (end === messages.length) keep(messages.slice(0, start), toModel, prompt.slice(), known)
    const conversion: Conversion = { callData: new Map(), toModel }
    for (const message of pairResults(messages.slice(start, end))) {
      const converted = toMessage(message, conversion)
      if (converted !== undefined) prompt.push(converted)
    }
    start = end
  }
  return prompt
}

/** Only what nobody can change in place is known by its identity. */
function keep(
  messages: readonly ModelMessage[],
  toModel: Rename,
  prompt: readonly LanguageModelV4Message[],
  known: Sent | undefined,
): void {
  const [first] = messages
  if (first === undefined || !areFrozen(messages, known?.messages.length ?? 0)) return
  newestSent.set(first, { messages, toModel, prompt })
}

function toMessage(message: ModelMessage, conversion: Conversion): LanguageModelV4Message | undefined {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'assistant': {
      const content = message.parts.filter(saysSomething).map((part) => toAnswerPart(part, conversion))
      for (const part of message.parts)
        if (part.kind === 'call') conversion.callData.set(part.modelCallId, part.provider)
      // Providers refuse an answer without content.
      return content.length === 0 ? undefined : { role: 'assistant', content }
    }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => toResultPart(result, conversion)) }
  }
}

function saysSomething(part: AssistantPart): boolean {
  return part.kind === 'call' || part.text !== '' || part.provider !== undefined
}

function toAnswerPart(part: AssistantPart, { toModel }: Conversion): AnswerPart {
  const returned = providerOptions(part.provider)
  if (part.kind !== 'call') return { type: part.kind, text: part.text, ...returned }
  return {
    type: 'tool-call',
    toolCallId: part.modelCallId,
    toolName: toModel(part.name),
    input: toInput(part.argumentsText),
    ...returned,
  }
}

/** A result carries its call's data too: a provider that split one wrapped call finds its siblings by it. */
function toResultPart(
  result: ToolResultPart,
  { callData, toModel }: Conversion,
): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: result.modelCallId,
    toolName: toModel(result.name),
    output: { type: result.isError ? 'error-text' : 'text', value: result.text },
    ...providerOptions(callData.get(result.modelCallId)),
  }
}

/** Providers demand an object. Where the model wrote none, the call's result tells it what was wrong. */
function toInput(argumentsText: string): object {
  try {
    const input: unknown = JSON.parse(argumentsText)
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
  } catch {
    return {}
  }
}

function providerOptions(data: ProviderData | undefined): { providerOptions?: MutableProviderData } {
  return data === undefined ? {} : { providerOptions: data as MutableProviderData }
}

/** The provider interface declares its data as writable; no provider writes to it. */
type MutableProviderData = NonNullable<LanguageModelV4TextPart['providerOptions']>
