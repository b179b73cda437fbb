import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { HostError } from '../../protocol/host-error.ts'
import { faultSentence } from '../../protocol/parse-body.ts'
import { faultsIn } from './faults-in.ts'

/** A configuration that cannot be used; the sentence names the key and what it may be. */
export function invalidConfig(message: string, cause?: unknown): HostError {
  return new HostError('INVALID_CONFIG', message, { cause })
}

/** Errors: INVALID_CONFIG with everything that is wrong, each with its JSON pointer. */
export function requireConfig(where: string, schema: JsonSchema, value: unknown): void {
  const faults = faultsIn(schema, value)
  if (faults.length > 0) throw invalidConfig(`${where}: ${faultSentence(faults)}`)
}
