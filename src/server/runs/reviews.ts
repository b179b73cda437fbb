import type { ApprovalAnswer, ApprovalFunction } from '../../agent/approver.ts'
import { suspend } from '../../agent/suspend.ts'
import type { JsonObject } from '../../core/json/value.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'
import { type AuditRecord, noteDown } from '../audit.ts'
import type { HostOptions } from '../host-options.ts'
import type { Capacity } from './capacity.ts'
import { refusals } from './refusals.ts'

/** What a run's reviews need. */
export interface ReviewParts {
  readonly options: HostOptions
  readonly request: RunRequest
  readonly subject: string
  readonly open: Capacity
  /** Brings an ask before people. */
  readonly show: (ticket: string) => void
  /** The id by which the wire knows a call. */
  readonly wireId: (call: string) => string
}

/**
 * Answers the asks of a run: the host's own callback first, where there is one; then people, if the run takes reviews. An
 * ask that is before people is waited for until somebody has decided.
 */
export function reviews({ options, request, subject, open, show, wireId }: ReviewParts): ApprovalFunction {
  return async (asked, signal): Promise<ApprovalAnswer> => {
    if (options.approve !== undefined) {
      const call = { id: wireId(asked.callId), name: asked.tool.name, arguments: copyOf(asked.args) }
      const allowed = await askHost(options.approve, { subject, runId: asked.runId, call }, signal)
      const at = { at: asked.requestedAt, subject, runId: asked.runId, callId: call.id, tool: call.name }
      const outcome = allowed === true ? 'let_pass' : 'refused_by_host'
      const noted = {
        kind: 'approval.resolved',
        ...at,
        ticket: asked.id,
        digest: asked.argsDigest,
        outcome,
      } as const
      // Where people decide after the host, theirs is the resolution.
      const isLast = allowed !== true || request.approvals === undefined
      if (isLast && !isNoted(options, noted)) return refused(refusals.audit.sentence)
      if (allowed !== true) return refused(refusals.callback.sentence)
      if (request.approvals === undefined) return { approved: true }
    }
    if (request.approvals === undefined) return refused(refusals.nobody.sentence)
    if (!open.take(asked.id, subject)) return refused(refusals.reviews.sentence)
    const audit = { subject, runId: asked.runId, callId: wireId(asked.callId), tool: asked.tool.name }
    const about = { ...audit, ticket: asked.id, digest: asked.argsDigest, at: asked.requestedAt }
    if (!isNoted(options, { kind: 'approval.requested', ...about })) return refused(refusals.audit.sentence)
    show(asked.id)
    await aborted(signal)
    return suspend()
  }
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
