import type { HostParts } from '../host-parts.ts'

/** Ends the run that goes on in what is about to be removed. Errors: SESSION_BUSY when another process drives it and has not ended it in 30 seconds. */
export async function endRun(
  { runs }: HostParts,
  openRun: string | undefined,
  sentence: string,
): Promise<void> {
  const found = openRun === undefined ? undefined : await runs.lookUp(openRun)
  if (found !== undefined) await runs.cancel(found, sentence)
}
