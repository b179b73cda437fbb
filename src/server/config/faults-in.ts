import { asJson } from '../../core/json/as-json.ts'
import type { Fault } from '../../core/schema/fault.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { compile } from '../../core/schema/validator.ts'
import { allowedKeys } from './allowed-keys.ts'

/** Everything that is wrong with a value of a configuration, each with its JSON pointer. */
export function faultsIn(schema: JsonSchema, value: unknown): readonly Fault[] {
  const json = asJson(value)
  if (json === undefined) return [{ pointer: '', message: 'the value is no plain JSON' }]
  return compile(schema)(json).map((fault) => withAllowed(schema, fault))
}

/** Says of a key that is not known which ones are. */
function withAllowed(schema: JsonSchema, { pointer, message }: Fault): Fault {
  const [, unknown] = /^(\/.*) is not allowed$/.exec(message) ?? []
  const keys = unknown && allowedKeys(schema, unknown.slice(0, unknown.lastIndexOf('/')))
  return keys ? { pointer, message: `${message} (there are ${keys.join(', ')})` } : { pointer, message }
}
