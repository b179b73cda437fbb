/** A place in a run's stream, so that a reader who was cut off can go on where he was. */
export interface EventPlace {
  /** The sequence of the event. */
  readonly sequence: number
  /** The sequence in the log of the newest event that the place includes. */
  readonly logSequence: number
  /** UTF-16 code units of the text of the step that is still being written; 0 when none is. */
  readonly textOffset: number
}

const form = /^(0|[1-9][0-9]{0,15})[.](0|[1-9][0-9]{0,15})[.](0|[1-9][0-9]{0,15})$/

/** The id of an event on the wire: `<sequence>.<logSequence>.<textOffset>`. */
export function formatEventId({ sequence, logSequence, textOffset }: EventPlace): string {
  return `${sequence}.${logSequence}.${textOffset}`
}

/** Reads what `formatEventId` wrote; undefined for anything else. Sequences count from 1. */
export function parseEventId(text: string): EventPlace | undefined {
  const [, sequence, logSequence, textOffset] = form.exec(text)?.map(Number) ?? []
  if (sequence === undefined || logSequence === undefined || textOffset === undefined) return undefined
  if (sequence === 0 || ![sequence, logSequence, textOffset].every(Number.isSafeInteger)) return undefined
  return { sequence, logSequence, textOffset }
}
