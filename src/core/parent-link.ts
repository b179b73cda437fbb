import type { Bounds } from './policy/bounds.ts'

/** Where a child's session hangs. */
export interface ParentLink {
  readonly session: string
  readonly run: string
  readonly call: string
  /** The names of the agents above it, the topmost first. */
  readonly path: readonly string[]
  /** The session at the top. */
  readonly root: string
  /** As in `child.started`. */
  readonly kind: 'run' | 'spawn' | 'dispatch'
  /** Its number among the child runs below the run at the top, from 1; absent where nobody counted. */
  readonly number?: number
  /** What the agents above allow. */
  readonly bounds: Bounds
}
