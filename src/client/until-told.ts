import { isHostError } from '../protocol/host-error.ts'
import { clientBounds } from './bounds.ts'
import { type PauseParts, pause } from './pause.ts'

/** Sends again what can be sent again, while its receipt is lost or the host asks to come later: 10 times with growing pauses. */
export async function untilTold<Receipt>(
  send: () => Promise<Receipt>,
  parts: PauseParts,
  signal: AbortSignal,
): Promise<Receipt> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await send()
    } catch (fault) {
      if (failures >= clientBounds.attemptsMax || !mayBeLost(fault)) throw fault
      signal.throwIfAborted()
      await pause(parts, failures, signal)
    }
  }
}

function mayBeLost(fault: unknown): boolean {
  return isHostError(fault) && (fault.retryable || fault.code === 'INVALID_RESPONSE')
}
