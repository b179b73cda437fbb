import type { OpenAsks } from './open-asks.ts'

/** Lets asks come before the person at the terminal one after the other. */
export class AskQueue {
  readonly #asks: OpenAsks
  #before: Promise<unknown> = Promise.resolve()

  constructor(asks: OpenAsks) {
    this.#asks = asks
  }

  /** Asks when it is this ask's turn; the next one comes once the answer was written down, which aborts `signal`. */
  take<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#asks.during(async () => {
      await this.#before
      return await ask()
    })
    this.#before = answer.then(
      () => (this.#asks.left.aborted ? undefined : writtenDown(signal)),
      () => undefined,
    )
    return answer
  }
}

/** How long the next ask waits for the answer before it to stand in the log, in milliseconds. */
const writingMsMax = 1_000

/**
 * Waits until an answer was written down, which is when its ask's signal aborts: it may have answered the asks that
 * wait for their turn as well. An answer that cannot be written holds nobody up for long.
 */
async function writtenDown(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, writingMsMax)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
