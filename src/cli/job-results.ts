import type { AssistantPart, ModelMessage } from '../core/driver.ts'
import { parseJson } from '../core/json/strict.ts'

/** One call of the conversation with what the model was told of it. */
export interface JobResult {
  readonly name: string
  /** The arguments as far as they are an object, else empty. */
  readonly args: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isError: boolean
}

/** The calls since the person's last message, with their results, in order. */
export function jobResults(messages: readonly ModelMessage[]): readonly JobResult[] {
  const since = messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1)
  const calls = new Map<string, Extract<AssistantPart, { kind: 'call' }>>()
  const results: JobResult[] = []
  for (const message of since) {
    if (message.role === 'assistant')
      for (const part of message.parts) if (part.kind === 'call') calls.set(part.modelCallId, part)
    if (message.role !== 'tool') continue
    for (const { modelCallId, name, text, isError } of message.results) {
      results.push({ name, text, isError, args: objectOf(calls.get(modelCallId)?.argumentsText ?? '') })
    }
  }
  return results
}

/** The result of the first call of a tool that `isWanted`, read as an object; undefined when it failed or is no object. */
export function resultObject(
  results: readonly JobResult[],
  name: string,
  isWanted: (args: JobResult['args']) => boolean = () => true,
): Readonly<Record<string, unknown>> | undefined {
  const result = results.find((each) => each.name === name && isWanted(each.args))
  if (result === undefined || result.isError) return undefined
  // A note about arguments that a person changed may stand before it; JSON text is one line.
  return objectOf(result.text.slice(result.text.lastIndexOf('\n') + 1))
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(text)
  const value = parsed.ok ? parsed.value : undefined
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
