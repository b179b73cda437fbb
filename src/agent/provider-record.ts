import type { AnsweredPart, FinishReason } from '../core/driver.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { limits } from '../core/limits.ts'

/** The parts of an answer that are kept, and a sentence about each that is not. */
export interface KeptParts {
  readonly parts: readonly AnsweredPart[]
  readonly warnings: readonly string[]
}

type ProviderPart = Extract<AnsweredPart, { kind: 'provider-call' | 'provider-result' }>

/**
 * Keeps of what the provider's own tools did what can be vouched for: calls of tools that were offered, with results
 * in bounds. Of an answer that was cut short, calls without a result are left out too: no provider takes them back.
 */
export function keptParts(
  parts: readonly AnsweredPart[],
  offered: readonly { readonly name: string }[],
  finish: FinishReason,
): KeptParts {
  const dropped = new Map<string, string>()
  for (const part of parts.filter(isOfProvider)) {
    const fault = faultOf(part, offered)
    if (fault !== undefined) dropped.set(part.modelCallId, fault)
  }
  if (finish !== 'stop' && finish !== 'calls') for (const id of unanswered(parts)) dropped.set(id, cutShort)
  return {
    parts: parts.filter((part) => !isOfProvider(part) || !dropped.has(part.modelCallId)),
    warnings: [...dropped.values()],
  }
}

const cutShort =
  "The answer was cut short before one of the provider's own tools had its result; its call is left out."

function isOfProvider(part: AnsweredPart): part is ProviderPart {
  return part.kind === 'provider-call' || part.kind === 'provider-result'
}

function faultOf(part: ProviderPart, offered: readonly { readonly name: string }[]): string | undefined {
  const shown = JSON.stringify(part.name.slice(0, 200))
  // A server that the provider reaches for us has tools of its own, named after it.
  if (!offered.some(({ name }) => part.name === name || part.name.startsWith(`${name}.`)))
    return `The provider ran ${shown}, a tool of its own that it was not offered; it is left out of the conversation.`
  const { length } = part.kind === 'provider-call' ? part.argumentsText : stringifyJson(part.value)
  if (length <= limits.providerResultCharactersMax) return undefined
  return `The provider's own tool ${shown} came to ${length} characters of JSON, more than ${limits.providerResultCharactersMax}; it is left out of the conversation.`
}

function unanswered(parts: readonly AnsweredPart[]): string[] {
  const answered = new Set(
    parts.flatMap((part) => (part.kind === 'provider-result' ? [part.modelCallId] : [])),
  )
  return parts.flatMap((part) =>
    part.kind === 'provider-call' && !answered.has(part.modelCallId) ? [part.modelCallId] : [],
  )
}
