import type { Clock } from '../core/clock.ts'
import type { IdSource, Random } from '../core/id.ts'
import type { Owner } from '../core/owner.ts'
import type { Store } from '../core/store.ts'

/** What the runtime is given from outside: nothing in it looks at the real time or rolls dice by itself. */
export interface RuntimeParts {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  readonly random: Random
  readonly owner: Owner
}
