import { isBusy } from './sqlite-fault.ts'

const delayMsMax = 10

/**
 * Tries at once, and again with short waits while another process holds the lock, for at most `limitMs`; the event
 * loop is free between attempts. Rejects with SQLite's own error after that, and at once with any other.
 */
export async function retryWhileBusy<Value>(limitMs: number, attempt: () => Value): Promise<Value> {
  const giveUpAt = performance.now() + limitMs
  for (let tries = 0; ; tries += 1) {
    try {
      return attempt()
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > giveUpAt) throw thrown
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(tries, delayMsMax)))
  }
}
