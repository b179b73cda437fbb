import type { JsonValue } from '../../core/json/value.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'

/** What is kept with a run, so that any process of the store can go on with it. */
export interface RunOrigin {
  readonly kind: 'toolpost.host'
  readonly request: RunRequest
  /** The group of who started it. */
  readonly group?: string
  /** The declared functions of which a person has to approve each call. */
  readonly reviewed: readonly string[]
  /** What the same key and the same request have in common. */
  readonly fingerprint?: string
}

/** Reads it from the store; undefined for a run that no host started. */
export function readOrigin(value: JsonValue | undefined): RunOrigin | undefined {
  const isOrigin =
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'toolpost.host'
  return isOrigin ? (value as unknown as RunOrigin) : undefined
}
