import type { Progress } from './executor.ts'
import { asJson } from './json/as-json.ts'
import { bytesOf } from './json/bytes-of.ts'
import { limits } from './limits.ts'

/**
 * What of a tool's report is shown: a text that is cut when it is long, a number from 0 to 1, and JSON that is not too
 * large. Whatever else stands
 * in it is dropped, and a report of nothing is none: a wrong one is no reason for a call to fail.
 */
export function readProgress(given: unknown): Progress | undefined {
  try {
    const { message, fraction, output } = (given ?? {}) as Record<string, unknown>
    const isPart = typeof fraction === 'number' && Number.isFinite(fraction)
    const isSaid = typeof message === 'string'
    const partial = output === undefined ? undefined : asJson(output)
    const isShown = partial !== undefined && bytesOf(partial) <= limits.handedOutputBytesMax
    if (!isPart && !isSaid && !isShown) return undefined
    return {
      ...(isSaid ? { message: message.slice(0, limits.messageCharactersMax).toWellFormed() } : {}),
      ...(isPart ? { fraction: Math.min(1, Math.max(0, fraction)) } : {}),
      ...(isShown ? { output: partial } : {}),
    }
  } catch {
    // A getter, or a Proxy, that throws.
    return undefined
  }
}
