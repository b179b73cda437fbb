import type { AssistantPart, ModelMessage, ToolResultPart } from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'

type CallPart = Extract<AssistantPart, { kind: 'call' }>

/**
 * The same conversation in the one form that every provider takes: an answer with calls is followed at once by one
 * tool message, with exactly one result for each call, in the calls' order. What stood between a call and its
 * result comes after it. A call without a result gets one that says so.
 *
 * Throws INVALID_ARGUMENT on a result without its call, two results of one call, and two calls of one id in an
 * answer: no provider takes them, and to guess would swap results.
 */
export function pairResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const paired: ModelMessage[] = []
  for (let start = 0; start < messages.length; ) {
    const end = endOfTurn(messages, start)
    paired.push(...pairedTurn(messages.slice(start, end)))
    start = end
  }
  return paired
}

/** Where the turn that starts here ends: before the next answer. */
export function endOfTurn(messages: readonly ModelMessage[], start: number): number {
  let end = start + 1
  while (end < messages.length && messages[end]?.role !== 'assistant') end += 1
  return end
}

/** One answer and all that came before the next; the very first turn has no answer. Throws as `pairResults` does. */
export function pairedTurn(turn: readonly ModelMessage[]): ModelMessage[] {
  const paired: ModelMessage[] = []
  const others: ModelMessage[] = []
  const calls: CallPart[] = []
  const results = new Map<string, ToolResultPart>()
  for (const message of turn) {
    if (message.role === 'tool') addResults(results, message.results)
    else if (message.role !== 'assistant') others.push(message)
    else {
      paired.push(message)
      for (const part of message.parts) if (part.kind === 'call') calls.push(part)
    }
  }
  const inOrder = calls.map((call) => takeResult(results, call))
  rejectStray(results, calls)
  if (inOrder.length > 0) paired.push({ role: 'tool', results: inOrder })
  return paired.concat(others)
}

function addResults(byId: Map<string, ToolResultPart>, results: readonly ToolResultPart[]): void {
  for (const result of results) {
    if (byId.has(result.modelCallId)) {
      throw unpaired(`The call "${result.modelCallId}" of ${result.name} has two results; give it one.`)
    }
    byId.set(result.modelCallId, result)
  }
}

function takeResult(results: Map<string, ToolResultPart>, call: CallPart): ToolResultPart {
  const { modelCallId, name } = call
  const result = results.get(modelCallId)
  results.delete(modelCallId)
  return result ?? { modelCallId, name, text: 'No outcome of this call is known.', isError: true }
}

function rejectStray(left: ReadonlyMap<string, ToolResultPart>, calls: readonly CallPart[]): void {
  const [stray] = left.values()
  if (stray !== undefined) {
    throw unpaired(
      `A result of ${stray.name} belongs to the call "${stray.modelCallId}", which the answer before it does not hold.`,
    )
  }
  if (calls.length > 1 && new Set(calls.map((call) => call.modelCallId)).size < calls.length) {
    throw unpaired('Two calls of one answer bear the same id; make the ids differ.')
  }
}

function unpaired(message: string): ToolpostError {
  return new ToolpostError('INVALID_ARGUMENT', message)
}
