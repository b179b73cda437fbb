import { compareClass, isToolClass, type ToolClass } from './policy/class.ts'

/** What the holder of a token may do. What it leaves out, it does not restrict, except `approve`. */
export interface Grant {
  /** Whom it was issued to. */
  readonly subject: string
  /** The only tools that may be called; an empty list = none. */
  readonly tools?: readonly string[]
  /** The strictest class that may be called. */
  readonly classMax?: ToolClass
  /** Milliseconds since 1970; from then on the grant is void. */
  readonly expiresAt?: number
  /** The only one that may accept it. */
  readonly audience?: string
  /** The tools whose asks the holder may decide, `*` for all; absent = none. */
  readonly approve?: readonly string[]
}

/** Who presents a grant, to whom, and when. */
export interface GrantUse {
  /** Who presents it; absent = its holder is not checked. */
  readonly subject?: string
  /** Who accepts it; a grant that names an audience is void without. */
  readonly audience?: string
  /** Milliseconds since 1970; a grant that expires is void without. */
  readonly now?: number
}

/** A use of a tool by a grant. */
export interface GrantCall extends GrantUse {
  readonly tool: string
  readonly toolClass: ToolClass
}

/** Why a grant is void here and now, in a sentence; absent when it holds. */
export function grantVoid(grant: Grant, use: GrantUse): string | undefined {
  if (use.subject !== undefined && grant.subject !== use.subject) {
    return 'The grant was issued to somebody else.'
  }
  if (grant.audience !== undefined && grant.audience !== use.audience) {
    return 'The grant was issued for another audience.'
  }
  if (grant.expiresAt === undefined) return undefined
  if (use.now === undefined) return 'The grant expires, and nobody said what time it is.'
  return use.now < grant.expiresAt ? undefined : 'The grant has expired.'
}

/** Why a grant does not allow a call, in a sentence; absent when it does. */
export function grantRefusal(grant: Grant, call: GrantCall): string | undefined {
  const fault = grantVoid(grant, call)
  if (fault !== undefined) return fault
  if (grant.tools !== undefined && !lists(grant.tools, call.tool)) return 'The grant does not list this tool.'
  if (grant.classMax === undefined) return undefined
  if (!isToolClass(grant.classMax)) return 'The grant allows a class of tools that is not known.'
  if (compareClass(call.toolClass, grant.classMax) <= 0) return undefined
  return `The grant allows tools up to class ${grant.classMax}, and this one is ${call.toolClass}.`
}

/** Whether a grant allows a call. */
export function grantAllows(grant: Grant, call: GrantCall): boolean {
  return grantRefusal(grant, call) === undefined
}

/** Whether the holder of a grant may decide the asks of a tool. */
export function grantDecides(grant: Grant, tool: string, use: GrantUse): boolean {
  if (grant.approve === undefined || grantVoid(grant, use) !== undefined) return false
  return lists(grant.approve, tool) || lists(grant.approve, '*')
}

function lists(names: readonly string[], name: string): boolean {
  return Array.isArray(names) && names.includes(name)
}
