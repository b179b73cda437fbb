import type { AnsweredPart, DriverPart, DriverRequest, Usage } from '../core/driver.ts'

/** Requests that one answer may take; a provider that pauses more often does not come to an end. */
const requestsMax = 10

/** Anthropic's word for an answer that goes on when it is sent back: its own tools take their time. */
const pausedReason = 'pause_turn'

/**
 * One answer, also where the provider pauses in its midst: what was said so far is sent back until the answer is
 * whole, and counts as one.
 */
export async function* pastPauses(
  request: DriverRequest,
  ask: (request: DriverRequest) => AsyncIterable<DriverPart>,
): AsyncGenerator<DriverPart, void, undefined> {
  let said: readonly AnsweredPart[] = []
  let used: Usage = {}
  for (let count = 1; count <= requestsMax; count += 1) {
    let isPaused = false
    for await (const part of ask(goingOn(request, said))) {
      if (part.type !== 'finish') {
        yield part
        continue
      }
      said = [...said, ...part.parts]
      used = sum(used, part.usage)
      isPaused = part.rawReason === pausedReason && count < requestsMax
      if (!isPaused) yield { ...part, parts: said, usage: used }
    }
    if (!isPaused) return
  }
}

function goingOn(request: DriverRequest, said: readonly AnsweredPart[]): DriverRequest {
  if (said.length === 0) return request
  return { ...request, messages: [...request.messages, { role: 'assistant', parts: said }] }
}

function sum(one: Usage, other: Usage): Usage {
  const total: Record<string, number> = { ...one }
  for (const [key, count] of Object.entries(other)) total[key] = (total[key] ?? 0) + count
  return total
}
