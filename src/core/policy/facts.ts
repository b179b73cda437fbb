import type { Grant } from '../grant.ts'
import type { JsonValue } from '../json/value.ts'
import type { ToolClass } from './class.ts'
import type { ToolMode } from './mode.ts'
import type { Predicate } from './predicate.ts'
import type { RememberedApproval } from './remembered.ts'
import type { Qualities, RememberScope, Verdict } from './verdict.ts'

/** What an MCP server says of its own tool. Only true and false are claims; everything else is silence. */
export interface ToolHints {
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly openWorld?: boolean
  /** Permits a retry; it never changes the class. */
  readonly idempotent?: boolean
}

/** Where a tool comes from. */
export interface SourceFacts {
  readonly kind: string
  /** The server's name, by which it can be killed. */
  readonly name?: string
  readonly trusted: boolean
  readonly hints?: ToolHints
}

/** The tool that is judged. */
export interface ToolFacts {
  readonly name: string
  readonly version: string
  /** The class that the developer gave; for a class by arguments, the loosest one it can have. */
  readonly declaredClass?: ToolClass
  /** The class that these arguments have. */
  readonly callClass?: ToolClass
  /** True when the class depends on the arguments: a call without `callClass` is then destructive. */
  readonly classByArguments?: boolean
  /** The longest time for which the developer lets an approval be remembered. */
  readonly remember?: RememberScope
  readonly source: SourceFacts
  /** True for a function of the developer's own. */
  readonly developer: boolean
  /**
   * Whether a person reviews the calls of an application's tool, as host, definition and grant have it. It stands in
   * place of what a mode asks; a mode that hides the tool's class hides it all the same.
   */
  readonly review?: 'run' | 'ask'
  /** True when the tool asks in every mode; an approval may still be remembered unless `remember` is `none`. */
  readonly ask?: boolean
}

/** An operator's emergency stop. */
export interface KillEntry {
  readonly kind: 'tool' | 'server' | 'principal'
  readonly name: string
  readonly reason?: string
}

/** An administrator's list of tools. A list that names any tool allows no other; an empty one restricts nothing. */
export interface Contract {
  readonly tools: Readonly<Record<string, { readonly toolClass?: ToolClass }>>
}

/** An administrator's rule about calls. It can ask or deny, never allow. */
export interface PolicyRule {
  readonly id: string
  /** A tool's exact name, or `*` for every tool. */
  readonly tool: string
  /** Absent = every call of the tool. */
  readonly when?: Predicate
  readonly verdict: 'ask' | 'deny'
  readonly reason: string
  /** True when the reason is for administrators only. */
  readonly private?: boolean
  readonly remember?: RememberScope
  /** True when no remembered approval may answer this ask. */
  readonly forced?: boolean
}

/** The profile that an agent works under. */
export interface ProfileFacts {
  readonly modeMax?: ToolMode
  /** Absent = every tool; an empty list = none. */
  readonly tools?: readonly string[]
}

/** What the parent agent or program may do; its child may do no more. */
export interface ParentFacts {
  readonly verdict: Verdict
  readonly toolClassMax?: ToolClass
  /** Absent = every tool; an empty list = none. */
  readonly tools?: readonly string[]
  readonly modeMax?: ToolMode
  /** What an ask of the parent would demand. */
  readonly qualities?: Qualities
}

/** What the check made for this one call came to. `failed` says why it did not end. */
export type CheckOutcome =
  | { readonly verdict: Verdict; readonly reason?: string }
  | { readonly failed: string }

/** Everything that a decision depends on, as plain data. A layer that is absent says nothing. */
export interface PolicyFacts {
  readonly tool: ToolFacts
  /** Absent when it is decided what to offer. */
  readonly call?: { readonly args: JsonValue; readonly digest: string }
  readonly killed?: readonly KillEntry[]
  /** On whose behalf the call is made; a grant must have been issued to the same subject. */
  readonly principal?: string
  readonly contract?: Contract
  readonly rules?: readonly PolicyRule[]
  readonly profile?: ProfileFacts
  /** The session's mode; absent = nobody ever chose one. */
  readonly mode?: ToolMode
  readonly grant?: Grant
  /** Who we are to those who issue grants: a grant that names an audience must name this one. */
  readonly audience?: string
  /** Milliseconds since 1970. A grant that expires needs it. */
  readonly now?: number
  readonly parent?: ParentFacts
  readonly check?: CheckOutcome
  /** Names of the layers that could not be read. */
  readonly unreachable?: readonly string[]
  /** False only when no contract, profile, mode or approval handler was given. */
  readonly governed: boolean
  /** What was approved or refused for the rest of this session. */
  readonly remembered?: readonly RememberedApproval[]
}
