import type { Fault } from '../../core/schema/schema.ts'
import { WireRefusal } from './wire-refusal.ts'

/** OpenAI's form of an error. */
export function openaiError({ message, status, param, code }: WireRefusal): object {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { message, type, param: param ?? null, code: code ?? null } }
}

/** The first fault of a request's schema, with the parameter as OpenAI writes it: `messages[0].content`. */
export function refuseFault(faults: readonly Fault[]): void {
  const [fault] = faults
  if (fault === undefined) return
  throw new WireRefusal(`The request breaks the schema: ${fault.message}.`, {
    param: openaiParam(fault.pointer),
    code: 'invalid_value',
  })
}

/** Errors: WireRefusal without the key that every request bears. */
export function checkBearer(headers: Readonly<Record<string, string | undefined>>): void {
  if (/^Bearer \S/.test(headers.authorization ?? '')) return
  throw new WireRefusal('The request has no API key; send it as "Authorization: Bearer KEY".', {
    status: 401,
  })
}

/** A place in a request as OpenAI writes it: `tools[0].parameters`. */
export function openaiParam(pointer: string): string {
  const [first = '', ...rest] = pointer.split('/').slice(1)
  return first + rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
}
