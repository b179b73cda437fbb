import { checkGiven, checkSignal } from '../protocol/check-given.ts'
import { accessOptionsSchema } from '../protocol/host/access.ts'
import { HostError } from '../protocol/host-error.ts'
import { faultSentence } from '../protocol/parse-body.ts'
import { fullAccess } from './access/full-access.ts'
import { repeatedGrant } from './access/repeated-grant.ts'
import { holderProperties } from './access/token-options.ts'
import { faultsIn } from './config/faults-in.ts'
import type { Who } from './who.ts'

const { subject, group } = holderProperties

const callerSchema = {
  type: 'object',
  properties: { subject, group, access: accessOptionsSchema },
  additionalProperties: false,
} as const

const where = 'The caller'

/**
 * Who calls a host, as its application says it: a misspelt key would grant everything, or make him another one. What an
 * `access` leaves out is not granted. Errors: INVALID_REQUEST with everything that is wrong.
 */
export function readWho(given: unknown): Who {
  return read(given, ['subject', 'group', 'access', 'askAgain'])
}

/** The same of a caller with a signal. */
export function readCaller(given: unknown): { readonly who: Who; readonly signal: AbortSignal | undefined } {
  const who = read(given, ['subject', 'group', 'access', 'askAgain', 'signal'])
  const { signal } = given as { readonly signal?: AbortSignal }
  checkSignal(signal, where)
  return { who, signal }
}

function read(given: unknown, known: readonly string[]): Who {
  checkGiven(given, known, where)
  const { subject, group, access, askAgain } = given as Who
  const said = {
    ...(subject !== undefined && { subject }),
    ...(group !== undefined && { group }),
    ...(access !== undefined && { access }),
  }
  const faults = faultsIn(callerSchema, said)
  if (faults.length > 0) throw refused(faultSentence(faults))
  if (askAgain !== undefined && typeof askAgain !== 'function')
    throw refused('"askAgain" has to be a function.')
  if (access === undefined) return { ...said, ...(askAgain && { askAgain }) }
  const repeated = repeatedGrant(access.applicationTools)
  if (repeated >= 0) throw refused(`/access/applicationTools/${repeated}/name is granted twice.`)
  return { ...said, access: fullAccess(access), ...(askAgain && { askAgain }) }
}

function refused(sentence: string): HostError {
  return new HostError('INVALID_REQUEST', `${where}: ${sentence}`)
}
