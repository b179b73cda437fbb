import type { ApprovalRequest } from '../../agent/approval-request.ts'
import type { ApprovalAnswer, ApprovalFunction } from '../../agent/approver.ts'
import { suspend } from '../../agent/suspend.ts'
import type { JsonObject } from '../../core/json/value.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'
import { type AuditRecord, noteDown } from '../audit.ts'
import type { HostOptions } from '../host-options.ts'
import type { Capacity } from './capacity.ts'
import { refusals } from './refusals.ts'
import { hasWordFirst } from './shown-asks.ts'

/** What a run's reviews need. */
export interface ReviewParts {
  readonly options: HostOptions
  readonly request: RunRequest
  readonly subject: string
  readonly open: Capacity
  /** Brings an ask before people. */
  readonly show: (ticket: string) => void
  /** Whether that was recorded of an ask, and what records it. */
  readonly wasShown: (ticket: string) => boolean
  readonly recordShown: (ticket: string) => Promise<void>
  /** The id by which the wire knows a call. */
  readonly wireId: (call: string) => string
}

/**
 * Answers the asks of a run: the host's own callback first, where there is one; then people, if the run takes reviews. An
 * ask that is before people is waited for until somebody has decided. What the log says was brought before them in an
 * earlier process is brought again, and the host is neither asked nor told a second time.
 */
export function reviews(parts: ReviewParts): ApprovalFunction {
  return async (asked, signal): Promise<ApprovalAnswer> => {
    const { open, subject, show } = parts
    if (parts.wasShown(asked.id)) open.take(asked.id, subject)
    else {
      const answer = (await answerOfHost(parts, asked, signal)) ?? (await bring(parts, asked, signal))
      if (answer !== undefined) return answer
    }
    show(asked.id)
    await aborted(signal)
    return suspend()
  }
}

/** What the host itself answers; undefined when that is left to people. */
async function answerOfHost(
  { options, request, subject, wireId }: ReviewParts,
  asked: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const isForPeople = request.approvals !== undefined
  if (options.approve === undefined) return isForPeople ? undefined : refused(refusals.nobody.sentence)
  const call = { id: wireId(asked.callId), name: asked.tool.name, arguments: copyOf(asked.args) }
  const allowed = await askHost(options.approve, { subject, runId: asked.runId, call }, signal)
  // An answer that nobody waits for any more is none, and is not noted down.
  if (signal.aborted) return suspend()
  const outcome = allowed === true ? 'let_pass' : 'refused_by_host'
  // Where people decide after the host, theirs is the resolution.
  const isLast = allowed !== true || !isForPeople
  const noted = { kind: 'approval.resolved', ...aboutAsk(asked, subject, call.id), outcome } as const
  if (isLast && !isNoted(options, noted)) return refused(refusals.audit.sentence)
  if (allowed !== true) return refused(refusals.callback.sentence)
  return isForPeople ? undefined : { approved: true }
}

/** Notes an ask down and records that, before anybody sees it; gives the answer when it cannot be brought before people. */
async function bring(
  { options, subject, open, recordShown, wireId }: ReviewParts,
  asked: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  if (!open.take(asked.id, subject)) return refused(refusals.reviews.sentence)
  if (!hasWordFirst(options)) return undefined
  const about = aboutAsk(asked, subject, wireId(asked.callId))
  if (!isNoted(options, { kind: 'approval.requested', ...about })) return refused(refusals.audit.sentence)
  try {
    await recordShown(asked.id)
  } catch {
    if (!signal.aborted) return refused(refusals.audit.sentence)
  }
  return signal.aborted ? suspend() : undefined
}

function aboutAsk(
  { id, runId, requestedAt, argsDigest, tool }: ApprovalRequest,
  subject: string,
  callId: string,
) {
  return { at: requestedAt, subject, runId, callId, tool: tool.name, ticket: id, digest: argsDigest }
}

function isNoted({ onAudit }: HostOptions, record: AuditRecord): boolean {
  try {
    noteDown(onAudit, record)
    return true
  } catch {
    return false
  }
}

async function askHost(
  approve: NonNullable<HostOptions['approve']>,
  ...[call, signal]: Parameters<NonNullable<HostOptions['approve']>>
): Promise<unknown> {
  try {
    return await approve(call, signal)
  } catch {
    // What went wrong in the host is nobody's business outside of it, and allows nothing.
    return false
  }
}

function refused(reason: string): ApprovalAnswer {
  return { approved: false, reason }
}

function copyOf(args: unknown): JsonObject {
  return structuredClone(args) as JsonObject
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
