import type { ToolClass } from './class.ts'

/** What is to become of a call, from the loosest to the strictest. */
export const verdicts = ['run', 'ask', 'deny'] as const

/** `run` it, `ask` a person first, or `deny` it. */
export type Verdict = (typeof verdicts)[number]

/** Whether a value from outside is a verdict. */
export function isVerdict(value: unknown): value is Verdict {
  return verdicts.includes(value as Verdict)
}

/** The stricter of two verdicts. */
export function stricterVerdict(a: Verdict, b: Verdict): Verdict {
  return verdicts.indexOf(a) >= verdicts.indexOf(b) ? a : b
}

/** How long an approval may be remembered, from the shortest to the longest. */
export const rememberScopes = ['none', 'session', 'rule'] as const

/** `none`: for this call only; `session`: for the rest of the session; `rule`: until it is revoked. */
export type RememberScope = (typeof rememberScopes)[number]

/** The shorter of two scopes; one that is not known counts as `none`. */
export function shorterRemember(a: RememberScope, b: RememberScope): RememberScope {
  return rememberScopes[Math.max(0, Math.min(rememberScopes.indexOf(a), rememberScopes.indexOf(b)))]!
}

/** What an ask demands of the person who answers it. */
export interface Qualities {
  /** The longest time for which an approval may be remembered. */
  readonly remember: RememberScope
  /** How many different people have to approve. */
  readonly approversMin: number
  /** The group that an approver must belong to; absent = anybody who may decide. */
  readonly reviewerGroup?: string
  /** How long the ask stays open, in milliseconds; absent = without limit. */
  readonly ttlMs?: number
  /** Whether the approver may change the arguments. */
  readonly allowEdit: boolean
  /** Whether a mere click is not enough. */
  readonly strongConfirm: boolean
}

const changeable: Qualities = { remember: 'rule', approversMin: 1, allowEdit: true, strongConfirm: false }
const irreversible: Qualities = { ...changeable, remember: 'session' }

/** What an ask demands when no layer demands more: for `external` and `destructive` no lasting rule. */
export function defaultQualities(toolClass: ToolClass): Qualities {
  return toolClass === 'external' || toolClass === 'destructive' ? irreversible : changeable
}

/**
 * The stricter of each quality. Reviewer groups have no order of their own: the group of `a` stands, so
 * give the layer with more authority first.
 */
export function stricterQualities(a: Qualities, b: Partial<Qualities>): Qualities {
  const reviewerGroup = a.reviewerGroup ?? b.reviewerGroup
  const ttlMs = Math.min(a.ttlMs ?? Number.POSITIVE_INFINITY, b.ttlMs ?? Number.POSITIVE_INFINITY)
  return {
    remember: b.remember === undefined ? a.remember : shorterRemember(a.remember, b.remember),
    approversMin: Math.max(a.approversMin, b.approversMin ?? 1),
    allowEdit: a.allowEdit && b.allowEdit !== false,
    strongConfirm: a.strongConfirm || b.strongConfirm === true,
    ...(reviewerGroup === undefined ? {} : { reviewerGroup }),
    ...(ttlMs === Number.POSITIVE_INFINITY ? {} : { ttlMs }),
  }
}
