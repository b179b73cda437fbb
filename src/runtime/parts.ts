import type { Clock } from '../core/clock.ts'
import type { IdSource, Random } from '../core/id.ts'
import type { Store } from '../core/store.ts'

/** Who owns sessions in this process, and whether another owner is known to be gone. */
export interface Owner {
  readonly name: string
  /** True only when it is certain that the other owner's process has ended; then its lease is taken at once. */
  hasEnded(other: string): boolean
}

/** What the runtime is given from outside: nothing in it looks at the real time or rolls dice by itself. */
export interface RuntimeParts {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  readonly random: Random
  readonly owner: Owner
}
