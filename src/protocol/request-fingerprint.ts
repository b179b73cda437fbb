import { digestOf } from '../core/json/digest.ts'
import type { RunRequest } from './run/run-request.ts'

/**
 * What the same idempotency key has to come with: `sha256:` and hex of the canonical JSON of the whole parsed request.
 * The order of keys does not matter; every value does, and the order of every list.
 */
export function requestFingerprint(request: RunRequest): string {
  return digestOf(request)
}
