import type { Body } from '../protocol/body.ts'
import type { WireErrorCode } from '../protocol/errors.ts'
import { HostError } from '../protocol/host-error.ts'
import { faultSentence, parseBody } from '../protocol/parse-body.ts'

/** What a caller gave, by its body's schema. Errors: the code that is named, with everything that is wrong. */
export function readGiven<Value>(body: Body<Value>, given: unknown, code: WireErrorCode): Value {
  const parsed = parseBody(body, given)
  if (parsed.ok) return parsed.value
  throw new HostError(code, faultSentence(parsed.faults))
}
