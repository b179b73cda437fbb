import { errorBodyOf, HostError, isHostError } from '../../protocol/host-error.ts'

/** When to come again, of what passes by itself: soon; to a host that starts or ends a little later. */
export function retryAfter({ retryable, status }: HostError): Readonly<Record<string, string>> {
  return retryable ? { 'retry-after': status === 503 ? '5' : '1' } : {}
}

/** What was thrown as an answer. What is no `HostError` is told to `report`, and its text to nobody else. */
export function errorResponse(thrown: unknown, report: (fault: unknown) => void): Response {
  const error = hostErrorFor(thrown)
  if (error !== thrown) report(thrown)
  else if (error.status === 503 && error.cause !== undefined && error.code !== 'HOST_SHUTTING_DOWN')
    report(error.cause)
  const headers = { 'content-type': 'application/json', ...retryAfter(error) }
  return new Response(JSON.stringify(errorBodyOf(error)), { status: error.status, headers })
}

function hostErrorFor(thrown: unknown): HostError {
  return isHostError(thrown) ? thrown : new HostError('INTERNAL_ERROR')
}
