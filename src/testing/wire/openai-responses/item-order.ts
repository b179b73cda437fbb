import { WireRefusal } from '../wire-refusal.ts'
import type { Item, ResponseMemory } from './response-memory.ts'

const param = 'input'

/**
 * The rules of OpenAI's responses: every call has exactly one output, after it; reasoning is followed by what the model
 * made of it; and since the user last spoke, the reasoning that led to a call stands before it. Errors: WireRefusal.
 */
export function checkItemOrder(items: readonly Item[], memory: ResponseMemory): void {
  checkOutputs(items)
  const begun = items.findLastIndex((item) => item.role === 'user')
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    if (item.type === 'reasoning') seen.add(followed(items, index, memory.reasoningId(item)))
    if (item.type !== 'function_call' || index < begun) continue
    const needed = memory.reasoningBefore(item)
    if (needed === undefined || seen.has(needed)) continue
    throw new WireRefusal(
      `The call "${item.call_id}" came out of the reasoning item "${needed}", which is missing before it.`,
      { param },
    )
  }
}

function checkOutputs(items: readonly Item[]): void {
  const open = new Set<string>()
  const known = new Set<string>()
  for (const { type, call_id: id = '' } of items) {
    if (type === 'function_call') {
      if (known.has(id)) throw new WireRefusal(`Two calls bear the id "${id}".`, { param })
      known.add(id)
      open.add(id)
    }
    if (type === 'function_call_output' && !open.delete(id))
      throw new WireRefusal(`The output for "${id}" answers no open call before it.`, { param })
  }
  if (open.size === 0) return
  throw new WireRefusal(`Every call needs its output; these have none: ${[...open].join(', ')}.`, { param })
}

function followed(items: readonly Item[], index: number, id: string): string {
  const next = items.slice(index + 1).find((item) => item.type !== 'reasoning')
  const isOfModel = next !== undefined && next.type !== 'function_call_output' && !isSaidByOthers(next)
  if (isOfModel) return id
  throw new WireRefusal(`The reasoning item "${id}" is not followed by what the model made of it.`, { param })
}

function isSaidByOthers({ role }: Item): boolean {
  return role !== undefined && role !== 'assistant'
}
