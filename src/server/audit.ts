import { HostError, isHostError } from '../protocol/host-error.ts'

/** What a host notes down of its reviews and executions. */
export interface AuditRecord {
  /** `rejected`: somebody tried, and it did not count. */
  readonly kind: `${'approval' | 'execution'}.${'requested' | 'resolved' | 'rejected'}`
  /** Milliseconds since 1970. */
  readonly at: number
  /** Whose run it is, of what was requested; else who acted. */
  readonly subject: string
  readonly runId?: string
  /** As the wire has it. */
  readonly callId?: string
  readonly tool?: string
  /** The ticket: an `approvalId` or an `executionId`. */
  readonly ticket?: string
  /** What was shown or handed out, by the digest that binds tool and arguments. */
  readonly digest?: string
  /** How it was resolved. */
  readonly outcome?: string
  /** Why it was rejected. */
  readonly code?: string
}

/** Takes what a host notes down, at once: a promise counts as a failure, since nobody could wait for it. */
export type AuditSink = (record: AuditRecord) => void

/** Notes something down before it holds. Errors: APPROVAL_AUDIT_FAILED, without what the sink said. */
export function noteDown(sink: AuditSink | undefined, record: AuditRecord): void {
  if (sink === undefined) return
  let answer: unknown
  try {
    answer = sink(Object.freeze(record))
  } catch {
    throw new HostError('APPROVAL_AUDIT_FAILED')
  }
  if (answer === undefined) return
  Promise.resolve(answer).catch(() => undefined)
  throw new HostError('APPROVAL_AUDIT_FAILED')
}

/** The same of what is a fact already: a sink that fails changes nothing of it. */
export function noteFact(sink: AuditSink | undefined, record: AuditRecord): void {
  try {
    noteDown(sink, record)
  } catch {
    // The log has it.
  }
}

/** Notes an attempt down that did not count, and gives the error back. */
export function rejected(
  sink: AuditSink | undefined,
  about: Omit<AuditRecord, 'kind' | 'code'>,
  kind: 'approval' | 'execution',
  error: unknown,
): unknown {
  const code = isHostError(error) ? error.code : 'INTERNAL_ERROR'
  if (code !== 'APPROVAL_AUDIT_FAILED') noteFact(sink, { ...about, kind: `${kind}.rejected`, code })
  return error
}
