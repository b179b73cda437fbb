/** How long asks stay open, and how long this process waits for who answers them, each in milliseconds; absent: without an end. */
export interface AskTimes {
  readonly askExpiryMs?: number
  readonly answerWaitMs?: number
}

/** What holds for an agent under another one: of each time the shorter. */
export function shorterAskTimes(own: AskTimes, above: AskTimes = {}): AskTimes {
  const askExpiryMs = shorter(own.askExpiryMs, above.askExpiryMs)
  const answerWaitMs = shorter(own.answerWaitMs, above.answerWaitMs)
  return {
    ...(askExpiryMs === undefined ? {} : { askExpiryMs }),
    ...(answerWaitMs === undefined ? {} : { answerWaitMs }),
  }
}

function shorter(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}
