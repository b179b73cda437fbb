import { errorBodyOf, HostError, isHostError } from '../../protocol/host-error.ts'

/** What passes by itself passes soon; a host that starts or ends takes a little longer. */
const retryAfterSeconds = (error: HostError) => (error.status === 503 ? '5' : '1')

/** What was thrown as an answer. What is no `HostError` is told to `report`, and its text to nobody else. */
export function errorResponse(thrown: unknown, report: (fault: unknown) => void): Response {
  const error = hostErrorFor(thrown)
  if (error !== thrown) report(thrown)
  else if (error.status === 503 && error.cause !== undefined) report(error.cause)
  const retryAfter = error.retryable ? { 'retry-after': retryAfterSeconds(error) } : {}
  const headers = { 'content-type': 'application/json', ...retryAfter }
  return new Response(JSON.stringify(errorBodyOf(error)), { status: error.status, headers })
}

function hostErrorFor(thrown: unknown): HostError {
  return isHostError(thrown) ? thrown : new HostError('INTERNAL_ERROR')
}
