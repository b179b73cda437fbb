import type { Driver, DriverPart, DriverRequest } from '../../src/core/driver.ts'

export type FinishPart = Extract<DriverPart, { type: 'finish' }>

/** A request with one user message, and what a test adds. */
export function ask(text: string, more: Partial<DriverRequest> = {}): DriverRequest {
  return { messages: [{ role: 'user', text }], tools: [], ...more }
}

/** All that a driver reports for a request, and its last part. */
export async function answerOf(
  driver: Driver,
  request: DriverRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ parts: DriverPart[]; finish: FinishPart; text: string }> {
  const parts: DriverPart[] = []
  for await (const part of driver.propose(request, signal)) parts.push(part)
  const finish = parts.at(-1)
  if (finish?.type !== 'finish') throw new Error(`The last part is ${finish?.type}, not the finish.`)
  const text = parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')
  return { parts, finish, text }
}

/** What a driver throws for a request, with the parts that it reported before. */
export async function failureOf(
  driver: Driver,
  request: DriverRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ parts: DriverPart[]; thrown: unknown }> {
  const parts: DriverPart[] = []
  try {
    for await (const part of driver.propose(request, signal)) parts.push(part)
  } catch (thrown) {
    return { parts, thrown }
  }
  throw new Error('The driver did not fail.')
}
