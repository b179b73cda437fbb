import { ToolpostError } from '../../core/error.ts'
import { messageOf } from '../../core/message-of.ts'
import { leave } from '../../runtime/race.ts'

/**
 * Asks a flow's own function, which is asked again after a restart and has to give the same then. `what` begins the
 * sentence that the run fails with: `"until" of the loop "review"`. Errors: MODEL_FAILED when it throws or gives a promise.
 */
export function askPure<Result>(what: string, ask: () => Result): Result {
  let given: Result
  try {
    given = ask()
    if (!isPromise(given)) return given
  } catch (error) {
    throw new ToolpostError('MODEL_FAILED', `${what} threw: ${messageOf(error)}`, { cause: error })
  }
  leave(given)
  throw new ToolpostError(
    'MODEL_FAILED',
    `${what} gave a promise; it has to be pure and to answer at once, for it is asked again after a restart. What waits or looks something up is a step of its own.`,
  )
}

function isPromise(given: unknown): boolean {
  return (
    typeof given === 'object' && given !== null && typeof (given as { then?: unknown }).then === 'function'
  )
}
