/** A place in a run's stream, so that a reader who was cut off can go on where he was. */
export interface EventPlace {
  /** The sequence of the event. */
  readonly sequence: number
  /** The sequence in the log of the newest event that the place includes. */
  readonly logSequence: number
  /**
   * What the reader was told beyond the log. While people are asked: which of the open asks, in the order of the log, one
   * bit each. Else 1 and the UTF-16 code units of the step's text when the step has begun; 0 when none has.
   */
  readonly beyondLog: number
}

const form = /^(0|[1-9][0-9]{0,15})[.](0|[1-9][0-9]{0,15})[.](0|[1-9][0-9]{0,15})$/

/** The id of an event on the wire: `<sequence>.<logSequence>.<beyondLog>`. */
export function formatEventId({ sequence, logSequence, beyondLog }: EventPlace): string {
  return `${sequence}.${logSequence}.${beyondLog}`
}

/** Reads what `formatEventId` wrote; undefined for anything else. Sequences count from 1. */
export function parseEventId(text: string): EventPlace | undefined {
  const [, sequence, logSequence, beyondLog] = form.exec(text)?.map(Number) ?? []
  if (sequence === undefined || logSequence === undefined || beyondLog === undefined) return undefined
  if (sequence === 0 || ![sequence, logSequence, beyondLog].every(Number.isSafeInteger)) return undefined
  return { sequence, logSequence, beyondLog }
}
