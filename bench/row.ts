/** One measured relation, as `results.json` keeps it. */
export interface Row {
  readonly name: string
  /** Ours over the peer's, both medians of runs that took turns; absent where only a rate is told. */
  readonly ratio?: number
  /** What the ratio may be at most; absent where the row only informs. */
  readonly budget?: number
  readonly peer: string
  /** How many runs of each side the medians are of. */
  readonly runs: number
  readonly oursMs?: number
  readonly peerMs?: number
  /** Work of one kind in a second. */
  readonly perSecond?: number
}

/** A row of two medians in milliseconds. */
export function ratioRow(
  name: string,
  sides: { readonly oursMs: number; readonly peerMs: number },
  facts: { readonly peer: string; readonly runs: number; readonly budget?: number },
): Row {
  return { name, ratio: sides.oursMs / sides.peerMs, ...facts, ...sides }
}
