import type { ToolClass } from './class.ts'

/** A person's answer that holds for the rest of the session. */
export interface RememberedApproval {
  readonly tool: string
  readonly version: string
  /** The class that the tool had when the person was asked. */
  readonly toolClass: ToolClass
  readonly approved: boolean
  /** The ticket that the answer was given to. */
  readonly ticket: string
  readonly by: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly reason?: string
}

/** The tool as it stands now. */
export interface RememberedSubject {
  readonly tool: string
  readonly version: string
  readonly toolClass: ToolClass
}

/**
 * Whether a remembered answer speaks about a tool as it stands now. An approval is void once the version or
 * the class has changed; a refusal holds for the name, so that a new version does not shake it off.
 */
export function matchesRemembered(answer: RememberedApproval, subject: RememberedSubject): boolean {
  if (answer.tool !== subject.tool) return false
  if (answer.approved !== true) return true
  return answer.version === subject.version && answer.toolClass === subject.toolClass
}
