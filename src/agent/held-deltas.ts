import type { Answer } from '../runtime/task.ts'
import type { Hooks } from './hooks.ts'
import { textOf } from './model-hooks.ts'
import type { Delta } from './run-event.ts'

/**
 * What of an answer is shown while the model writes it. Where a hook may replace or refuse the answer, nothing is shown
 * before it has let it pass: what was shown cannot be taken back.
 */
export class HeldDeltas {
  readonly #emit: (delta: Delta) => void
  readonly #held: Delta[] | undefined

  constructor(emit: (delta: Delta) => void, hooks: readonly Hooks[]) {
    this.#emit = emit
    this.#held = hooks.some(({ afterModel }) => afterModel !== undefined) ? [] : undefined
  }

  /** Shows a delta, or keeps it back. Gives whether it was shown. */
  show(delta: Delta): boolean {
    if (this.#held === undefined) this.#emit(delta)
    else this.#held.push(delta)
    return this.#held === undefined
  }

  /** Forgets what was kept back, because the answer is begun anew. */
  drop(): void {
    if (this.#held !== undefined) this.#held.length = 0
  }

  /** The answer stands: what was kept back is shown, or the text that somebody gave in its place. */
  release(answer: Answer): void {
    if (answer.by === undefined) for (const delta of this.#held ?? []) this.#emit(delta)
    else if (textOf(answer.parts) !== '') this.#emit({ type: 'text.delta', delta: textOf(answer.parts) })
  }
}
