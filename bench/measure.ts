import { setImmediate as turn } from 'node:timers/promises'

/** One side of a comparison: does the whole work once. */
export type Work = () => Promise<unknown>

/** The middle value; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Milliseconds that the work takes. */
export async function timed(work: Work): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/**
 * Runs all sides in turn (A B C, A B C, ...), so that what else the machine does falls on each alike, and gives the
 * median milliseconds of each. What runs first changes with every round, and warm-up rounds are not counted.
 */
export async function interleave<Name extends string>(
  sides: Readonly<Record<Name, Work>>,
  { warmUps, runs }: { readonly warmUps: number; readonly runs: number },
): Promise<Record<Name, number>> {
  const names = Object.keys(sides) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < warmUps + runs; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      // What one side left to do must not be done in the other's time.
      await turn()
      const durationMs = await timed(sides[name])
      if (round >= warmUps) samples[name].push(durationMs)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<Name, number>
}
