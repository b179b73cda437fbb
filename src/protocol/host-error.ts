import type { ErrorBody, ErrorDetails } from './error-body.ts'
import { isWireErrorCode, type WireErrorCode, wireErrors } from './errors.ts'

const brand = Symbol.for('toolpost.host-error')

/** What a `HostError` is made with beside its code and sentence. */
export interface HostErrorOptions {
  /** Default: what the table says of the code; false for a code that it does not have. */
  readonly retryable?: boolean
  /** `uncertain` when something may have been done. */
  readonly outcome?: 'uncertain' | undefined
  /** Default: what the table says of the code; 500 for a code that it does not have. */
  readonly status?: number
  readonly cause?: unknown
}

/** An error as it travels between host and client: the host throws it, and the client throws the same again. */
export class HostError extends Error {
  /** Of `wireErrors`, or one that a newer host knows. */
  readonly code: string
  readonly retryable: boolean
  readonly outcome: 'uncertain' | undefined
  /** The HTTP status that a host answers with, or answered. */
  readonly status: number

  constructor(code: WireErrorCode | (string & {}), message?: string, options: HostErrorOptions = {}) {
    const known = isWireErrorCode(code) ? wireErrors[code] : undefined
    const { cause, outcome, retryable = known?.retryable ?? false, status = known?.status ?? 500 } = options
    super(message ?? known?.meaning ?? code, cause === undefined ? undefined : { cause })
    this.name = 'HostError'
    this.code = code
    this.retryable = retryable
    this.status = status
    this.outcome = outcome
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether a value is a `HostError`, also one made by another copy of this package. */
export function isHostError(value: unknown): value is HostError {
  try {
    return typeof value === 'object' && value !== null && brand in value
  } catch {
    // A Proxy that throws when it is asked.
    return false
  }
}

/** What an error says on the wire. */
export function errorDetailsOf(error: HostError): ErrorDetails {
  const { code, message, retryable, outcome } = error
  return { code, message, retryable, ...(outcome === undefined ? {} : { outcome }) }
}

/** The body of a response that carries an error. */
export function errorBodyOf(error: HostError): ErrorBody {
  return { error: errorDetailsOf(error) }
}

/** The error that a body or a terminal event carries. */
export function hostErrorOf(details: ErrorDetails, status?: number): HostError {
  const { code, message, retryable, outcome } = details
  return new HostError(code, message, { retryable, outcome, ...(status === undefined ? {} : { status }) })
}
