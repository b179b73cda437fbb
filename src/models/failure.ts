import { isToolpostError, ToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'

/**
 * A provider's refusal or failure as MODEL_FAILED. `details.status` is the HTTP status and `details.retryable`
 * whether the provider calls the request worth another try, each only where the provider says so.
 */
export function modelFailure(model: string, thrown: unknown): ToolpostError {
  if (isToolpostError(thrown)) return thrown
  const { status, retryable } = reported(thrown)
  const verb = status === undefined ? 'failed' : `answered with status ${status}`
  return new ToolpostError('MODEL_FAILED', `${model} ${verb}: ${messageOf(thrown)}`, {
    cause: thrown,
    details: {
      model,
      ...(status !== undefined && { status }),
      ...(retryable !== undefined && { retryable }),
    },
  })
}

/** A stream that ended, or was cut, before the provider said that the answer is whole. */
export function modelBrokeOff(model: string, thrown?: unknown): ToolpostError {
  const cause = thrown === undefined ? 'the stream ended without an end marker' : messageOf(thrown)
  return new ToolpostError(
    'MODEL_FAILED',
    `${model} broke off before its answer was whole (${cause}); nothing of it was run, so it can be asked again.`,
    { cause: thrown, details: { model, retryable: true } },
  )
}

/** Provider errors are read by shape: another copy of the provider package must not make a difference. */
function reported(thrown: unknown): { status?: number; retryable?: boolean } {
  if (typeof thrown !== 'object' || thrown === null) return {}
  try {
    const { statusCode, isRetryable } = thrown as { statusCode?: unknown; isRetryable?: unknown }
    return {
      ...(typeof statusCode === 'number' && { status: statusCode }),
      ...(typeof isRetryable === 'boolean' && { retryable: isRetryable }),
    }
  } catch {
    return {}
  }
}
