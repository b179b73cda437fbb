import { isToolpostError } from '../../core/error.ts'
import type { WireErrorCode } from '../../protocol/errors.ts'
import { HostError } from '../../protocol/host-error.ts'

/** The wire's codes for what the runtime refuses, and those whose sentence goes out as it is. */
export interface TicketCodes {
  readonly codes: Readonly<Record<string, WireErrorCode>>
  readonly told: readonly WireErrorCode[]
}

/** Says on the wire why a ticket was not taken. What is no refusal of the runtime is thrown on. */
export function ticketError(error: unknown, { codes, told }: TicketCodes): unknown {
  if (!isToolpostError(error) || !Object.hasOwn(codes, error.code)) return error
  const code = codes[error.code] as WireErrorCode
  return new HostError(code, told.includes(code) ? error.message : undefined, { cause: error })
}
