import type { Access, SessionVerb } from '../protocol/host/access.ts'

/** Who calls the host: over the wire it follows from the token; an embedded caller is trusted to say it. */
export interface Who {
  /** Default `local`. */
  readonly subject?: string
  /** The group that the subject belongs to: reviewers of the group see and decide what its runs ask. */
  readonly group?: string
  /** What the caller may do; absent = everything that the host does. */
  readonly access?: Access
  /**
   * Who it is now: asked when a run of his has waited in the queue. A run of nobody, or of a caller who is another one or
   * may do something else by then, fails as FORBIDDEN. Absent: who he is does not change.
   */
  readonly askAgain?: () => Promise<Who | undefined>
}

/** Who it is, by name. */
export function subjectOf({ subject = 'local' }: Who): string {
  return subject
}

function lists(names: readonly string[], name: string): boolean {
  return names.includes(name) || names.includes('*')
}

export function mayUseProvider({ access }: Who, provider: string): boolean {
  return access === undefined || lists(access.providers, provider)
}

/** Tools of the host. */
export function mayCallTool({ access }: Who, tool: string): boolean {
  return access === undefined || lists(access.tools, tool)
}

/** Functions of the caller's own: to declare one, and to report on it. */
export function mayServeTool({ access }: Who, tool: string): boolean {
  return (
    access === undefined ||
    lists(
      access.applicationTools.map(({ name }) => name),
      tool,
    )
  )
}

/** Whether the caller's grant demands a review: it does unless it says otherwise. A grant of the function itself goes before `*`. */
export function grantWantsReview({ access }: Who, tool: string): boolean {
  if (access === undefined) return false
  const of = (wanted: string) => access.applicationTools.find(({ name }) => name === wanted)
  const grant = of(tool) ?? of('*')
  return grant?.requiresApproval !== false
}

export function mayUseSessions({ access }: Who, verb: SessionVerb): boolean {
  return access === undefined || access.sessions.includes(verb)
}

export function mayDecide({ access }: Who, tool: string): boolean {
  return access === undefined || lists(access.approveTools, tool)
}

/** Whether what belongs to this subject is there for the caller at all. */
export function maySee(who: Who, subject: string): boolean {
  return subjectOf(who) === subject || isAdministrator(who)
}

/** Whether the caller may see and decide what a run of this subject, in this group, asks. */
export function mayReviewFor(who: Who, subject: string, group: string | undefined): boolean {
  return maySee(who, subject) || (group !== undefined && lists(who.access?.reviewerGroups ?? [], group))
}

export function isAdministrator({ access }: Who): boolean {
  return access?.administration === true
}
