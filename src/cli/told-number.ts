/** A number as a tool told it: whole, or a lower bound because the tool ended at its own bound. */
export interface ToldNumber {
  readonly value: number
  readonly isAtLeast: boolean
}

/** Reads a number of a tool's result, also from the name under which a bounded result tells it. */
export function toldNumber(result: Readonly<Record<string, unknown>>, name: string): ToldNumber {
  const bounded = result[`${name}AtLeast`]
  if (bounded !== undefined) return { value: Number(bounded), isAtLeast: true }
  return { value: Number(result[name] ?? 0), isAtLeast: false }
}
