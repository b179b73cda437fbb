import type { AskTimes } from '../core/ask-times.ts'
import type { Catalog } from '../core/catalog.ts'
import type { AssistantPart, FinishReason, Usage } from '../core/driver.ts'
import type { Progress } from '../core/executor.ts'
import type { Bounds } from '../core/policy/bounds.ts'
import type { PolicyFacts } from '../core/policy/facts.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { OutputRule } from '../core/schema/output-rule.ts'
import type { LeaseProof } from '../core/store.ts'
import type { ResultBudget } from './budget.ts'
import type { CallHooks } from './call-hooks.ts'
import type { Children } from './children.ts'
import type { Journal } from './journal.ts'
import type { RuntimeParts } from './parts.ts'
import type { OwnScopes } from './state/own-scopes.ts'

/** The layers of policy that do not change with the call. */
export type PolicyLayers = Pick<
  PolicyFacts,
  'killed' | 'principal' | 'contract' | 'rules' | 'profile' | 'grant' | 'parent' | 'unreachable' | 'governed'
>

/** What a model answered, whole. */
export interface Answer {
  readonly parts: readonly AssistantPart[]
  readonly finish: FinishReason
  readonly usage?: Usage
  /** Who said it in the model's place. */
  readonly by?: 'hook' | 'handler'
}

/** What it takes to shape what a tool gave, also where nobody drives its run. */
export type Shaping = Pick<
  Task,
  'parts' | 'journal' | 'run' | 'agent' | 'budget' | 'scopes' | 'hooks' | 'signal' | 'onWarning'
>

/** Everything that the life of one run needs. */
export interface Task extends AskTimes {
  readonly parts: RuntimeParts
  readonly journal: Journal
  readonly lease: LeaseProof
  readonly run: string
  readonly agent: string
  readonly catalog: Catalog
  /** Read anew for every judgement, so that a change holds from the next call on. */
  readonly layers: () => PolicyLayers
  /** The mode that the run keeps to its end; absent when none governs it. */
  readonly mode?: ToolMode
  /** What the run's output has to be; absent when it may be anything. */
  readonly output?: OutputRule
  /** What is left of the bytes of results that this run may bring into the conversation. */
  readonly budget: ResultBudget
  /** The application's own scopes of the state; absent when there are none. */
  readonly scopes?: OwnScopes
  /** What the agents above this one allow; absent at the top. */
  readonly bounds?: () => Bounds
  /** Absent where no call is executed. */
  readonly children?: Children
  /** The developer's functions around calls; absent when there are none. */
  readonly hooks?: CallHooks
  readonly signal: AbortSignal
  readonly onProgress: (call: string, progress: Progress) => void
  /** Tells who looks on at the run; absent where nobody can. */
  readonly onWarning?: (message: string) => void
}
