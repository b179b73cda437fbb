import { defineBody } from '../../protocol/body.ts'
import { type AccessOptions, accessOptionsSchema } from '../../protocol/host/access.ts'
import { HostError } from '../../protocol/host-error.ts'
import { faultSentence, parseBody } from '../../protocol/parse-body.ts'
import type { Who } from '../who.ts'
import { fullAccess } from './full-access.ts'
import { repeatedGrant } from './repeated-grant.ts'
import { holderProperties } from './token-options.ts'

/** Who a caller is, as an application's own check says. What `access` leaves out is not granted. */
export interface TokenHolder {
  readonly subject: string
  readonly group?: string
  readonly access: AccessOptions
}

/**
 * An application's own check in place of tokens: it is asked about every request, and undefined means nobody. The
 * token has 1 to 4,096 characters without white space.
 */
export type Authentication = (token: string, request: Request) => Promise<TokenHolder | undefined>

const callerBody = defineBody<TokenHolder>('TokenHolder', {
  type: 'object',
  properties: {
    subject: holderProperties.subject,
    group: holderProperties.group,
    access: accessOptionsSchema,
  },
  required: ['subject', 'access'],
  additionalProperties: false,
})

/**
 * Asks an application who a caller is. Errors: AUTH_UNAVAILABLE when it throws, INVALID_AUTH_POLICY when its answer is
 * none; neither repeats what it said.
 */
export async function askWho(
  authentication: Authentication,
  token: string,
  request: Request,
): Promise<Who | undefined> {
  const answer: unknown = await asked(authentication, token, request)
  if (answer === undefined) return undefined
  const parsed = parseBody(callerBody, answer)
  if (!parsed.ok) throw unusable(faultSentence(parsed.faults))
  const { access, ...who } = parsed.value
  const repeated = repeatedGrant(access.applicationTools)
  if (repeated >= 0) throw unusable(`/access/applicationTools/${repeated}/name is granted twice.`)
  return { ...who, access: fullAccess(access) }
}

function unusable(why: string): HostError {
  const cause = new Error(`authentication() gave no caller: ${why}`)
  const message = "The host's check of tokens gave an answer that it cannot use."
  return new HostError('INVALID_AUTH_POLICY', message, { status: 503, retryable: false, cause })
}

async function asked(authentication: Authentication, token: string, request: Request): Promise<unknown> {
  try {
    return await authentication(token, request)
  } catch (cause) {
    throw new HostError('AUTH_UNAVAILABLE', undefined, { cause })
  }
}
