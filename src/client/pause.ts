import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/id.ts'
import { clientBounds } from './bounds.ts'

/** What growing pauses are made with. */
export interface PauseParts {
  readonly clock: Clock
  readonly random: Random
}

/** Waits after so many failures in a row: twice as long each time, spread over half of it, so that clients do not come all at once. */
export async function pause(
  { clock, random }: PauseParts,
  failures: number,
  signal?: AbortSignal,
): Promise<void> {
  const wholeMs = Math.min(clientBounds.pauseMsMax, clientBounds.pauseMsFirst * 2 ** (failures - 1))
  await clock.sleep(wholeMs * (0.5 + random() / 2), signal)
}
