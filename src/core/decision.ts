import { ToolpostError } from './error.ts'
import { asJson } from './json/as-json.ts'
import { named } from './json/named.ts'
import type { JsonValue } from './json/value.ts'
import { whyNotJson } from './json/why-not-json.ts'
import { checkOptions } from './known-keys.ts'
import { limits } from './limits.ts'

/** An answer to an ask. `{ approved: true }` alone is one. */
export interface ApprovalDecision {
  readonly approved: boolean
  /** Remember the answer for this tool for the rest of the session. The same as `scope: 'session'`. */
  readonly forSession?: boolean
  readonly scope?: 'once' | 'session'
  /** Why; a refusal's reason is told to the model. */
  readonly reason?: string
  /** Other arguments to run with; they are validated, and the model is told. */
  readonly editedArgs?: unknown
  /** The digest of what was shown; when it is given and the ask has changed since, the answer does not count. */
  readonly digest?: string
}

/** A reason is a text, and no object with one. Errors: INVALID_ARGUMENT; `where` begins the sentence: `decline()`. */
export function checkReason(reason: unknown, where: string): void {
  if (reason === undefined || typeof reason === 'string') return
  throw new ToolpostError('INVALID_ARGUMENT', `${where} takes its reason as a text.`)
}

/** Makes decisions; plain objects of the same shape do as well. Errors: INVALID_ARGUMENT. */
export const ApprovalDecision = {
  /** Run it this once. */
  approve: (options: { editedArgs?: unknown; reason?: string } = {}): ApprovalDecision => {
    checkOptions(options, ['editedArgs', 'reason'], 'ApprovalDecision.approve()')
    checkReason(options.reason, 'ApprovalDecision.approve()')
    return { approved: true, ...options }
  },
  /** Run it, and do not ask again for this tool in this session. */
  approveForSession: (): ApprovalDecision => ({ approved: true, forSession: true }),
  /** Do not run it; the model is told the reason. */
  deny: (reason?: string): ApprovalDecision => {
    checkReason(reason, 'ApprovalDecision.deny()')
    return { approved: false, ...(reason === undefined ? {} : { reason }) }
  },
} as const

/** A decision that was read and found whole. */
export interface ParsedDecision {
  readonly approved: boolean
  readonly scope: 'once' | 'session'
  readonly reason?: string
  readonly editedArgs?: JsonValue
  readonly digest?: string
}

const keys = ['approved', 'forSession', 'scope', 'reason', 'editedArgs', 'digest']

/**
 * Reads what a handler or a person answered. Anything but a whole decision is a fault, and a fault never
 * approves: `approved` must be a boolean, no key may be unknown, the scope must be one that exists.
 */
export function parseDecision(
  value: unknown,
): { readonly decision: ParsedDecision } | { readonly fault: string } {
  if (typeof value !== 'object' || value === null)
    return { fault: 'The answer is no decision: { approved: true | false, reason? }.' }
  try {
    return readDecision(value as Record<string, unknown>)
  } catch {
    return { fault: 'The answer could not be read.' }
  }
}

function readDecision(value: Record<string, unknown>): { decision: ParsedDecision } | { fault: string } {
  const { approved, forSession, scope, reason, editedArgs, digest } = value
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  if (unknown !== undefined) return { fault: `The decision has an unknown key ${named(unknown)}.` }
  if (typeof approved !== 'boolean') return { fault: 'The decision needs "approved": true or false.' }
  if (forSession !== undefined && typeof forSession !== 'boolean')
    return { fault: '"forSession" must be true or false.' }
  if (scope !== undefined && scope !== 'once' && scope !== 'session')
    return { fault: '"scope" must be "once" or "session".' }
  if (contradicts(forSession, scope))
    return { fault: '"forSession" and "scope" say the contrary of each other; give one of them.' }
  if (reason !== undefined && typeof reason !== 'string') return { fault: '"reason" must be a text.' }
  if (digest !== undefined && typeof digest !== 'string') return { fault: '"digest" must be a text.' }
  const edited = editedArgs === undefined ? undefined : asJson(editedArgs)
  if (editedArgs !== undefined && edited === undefined) {
    return { fault: `"editedArgs" must be JSON: ${whyNotJson(editedArgs)}.` }
  }
  if (edited !== undefined && !approved) return { fault: '"editedArgs" goes with an approval only.' }
  const decision = {
    approved,
    scope: forSession === true || scope === 'session' ? ('session' as const) : ('once' as const),
    ...(reason === undefined || reason === ''
      ? {}
      : { reason: reason.slice(0, limits.messageCharactersMax).toWellFormed() }),
    ...(edited === undefined ? {} : { editedArgs: edited }),
    ...(digest === undefined ? {} : { digest }),
  }
  return { decision }
}

function contradicts(forSession: boolean | undefined, scope: 'once' | 'session' | undefined): boolean {
  return forSession !== undefined && scope !== undefined && forSession !== (scope === 'session')
}
