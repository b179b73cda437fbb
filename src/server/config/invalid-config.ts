import { asJson } from '../../core/json/as-json.ts'
import type { Fault } from '../../core/schema/fault.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { compile } from '../../core/schema/validator.ts'
import { HostError } from '../../protocol/host-error.ts'
import { faultSentence } from '../../protocol/parse-body.ts'
import { allowedKeys } from './allowed-keys.ts'

/** A configuration that cannot be used; the sentence names the key and what it may be. */
export function invalidConfig(message: string, cause?: unknown): HostError {
  return new HostError('INVALID_CONFIG', message, { cause })
}

/** Errors: INVALID_CONFIG with everything that is wrong, each with its JSON pointer. */
export function requireConfig(where: string, schema: JsonSchema, value: unknown): void {
  const json = asJson(value)
  const faults: readonly Fault[] =
    json === undefined ? [{ pointer: '', message: 'the value is no plain JSON' }] : compile(schema)(json)
  const told = faults.map((fault) => withAllowed(schema, fault))
  if (told.length > 0) throw invalidConfig(`${where}: ${faultSentence(told)}`)
}

/** Says of a key that is not known which ones are. */
function withAllowed(schema: JsonSchema, { pointer, message }: Fault): Fault {
  const [, unknown] = /^(\/.*) is not allowed$/.exec(message) ?? []
  const keys = unknown && allowedKeys(schema, unknown.slice(0, unknown.lastIndexOf('/')))
  return keys ? { pointer, message: `${message} (there are ${keys.join(', ')})` } : { pointer, message }
}
