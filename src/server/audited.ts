import { noteFact, rejected } from './audit.ts'
import type { HostParts } from './host-parts.ts'
import { subjectOf, type Who } from './who.ts'

/** Redeems a ticket, and notes down when that did not count; for executions also when it did. */
export async function audited<Receipt>(
  { options, parts }: HostParts,
  kind: 'approval' | 'execution',
  { body, who }: { readonly body: unknown; readonly who: Who },
  redeem: () => Promise<Receipt>,
): Promise<Receipt> {
  const about = { at: parts.clock.now(), subject: subjectOf(who), ...idsIn(body, kind) }
  try {
    const receipt = await redeem()
    if (kind === 'execution')
      noteFact(options.onAudit, { kind: 'execution.resolved', outcome: 'accepted', ...about })
    return receipt
  } catch (error) {
    throw rejected(options.onAudit, about, kind, error)
  }
}

/** What a body says that it is about, true or not. */
function idsIn(body: unknown, kind: string) {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = (name: string, value: unknown) =>
    typeof value === 'string' && value.length <= 256 ? { [name]: value } : {}
  const ticket = text('ticket', given[`${kind}Id`])
  return { ...ticket, ...text('runId', given.runId), ...text('callId', given.callId) }
}
