import { readChanges, refuseTooManyKeys, type StateChange } from '../../core/run/read-changes.ts'
import type { Values } from '../../core/run/state.ts'
import { withChanges } from '../../core/run/state-rules.ts'
import type { StateTarget } from './state-target.ts'

/** One update under way. */
interface Update {
  readonly given: unknown
  /** What it came to on the values that it saw. */
  readonly changes: readonly StateChange[]
  readonly saw: Values
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * One writer of one scope. What it writes is seen by its own reads at once, and kept behind their back: everything that
 * was written in one go together, one thing after another.
 */
export class ScopeWriter {
  readonly #target: StateTarget
  readonly #reserved: ReadonlySet<string>
  #waiting: Update[] = []
  #writing: Update[] = []
  #writer: Promise<void> | undefined
  #seen: { readonly base: Values; readonly values: Values } | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(target: StateTarget, reserved: ReadonlySet<string>) {
    this.#target = target
    this.#reserved = reserved
  }

  /** The newest values, with what is under way laid over them. */
  get values(): Values {
    const base = this.#target.values
    if (this.#seen?.base !== base) {
      const underWay = [...this.#writing, ...this.#waiting]
      const values = underWay.reduce((before, { changes }) => withChanges(before, changes), base)
      this.#seen = { base, values }
    }
    return this.#seen.values
  }

  /** Resolves when the changes are kept. Throws at once: INVALID_ARGUMENT, LIMIT_EXCEEDED, and what a function throws. */
  update(given: unknown): Promise<void> {
    const saw = this.values
    const changes = this.#changesOf(given, saw)
    const values = withChanges(saw, changes)
    refuseTooManyKeys(values)
    this.#seen = { base: this.#target.values, values }
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ given, changes, saw, resolve, reject })
    })
    // Whoever does not wait for it meets the failure when the call settles.
    written.catch(() => undefined)
    this.#writer ??= this.#writeAll()
    return written
  }

  /** Resolves when nothing is under way any more, with the first failure there was. */
  async settled(): Promise<{ readonly error: unknown } | undefined> {
    while (this.#writer !== undefined) await this.#writer
    return this.#failure
  }

  async #writeAll(): Promise<void> {
    // What is written in one go becomes one event.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      this.#writing = this.#waiting
      this.#waiting = []
      await this.#writeBatch(this.#writing)
      this.#writing = []
      this.#seen = undefined
    }
    this.#writer = undefined
  }

  async #writeBatch(batch: readonly Update[]): Promise<void> {
    try {
      await this.#target.write((values) => this.#decide(batch, values))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      this.#failure ??= { error }
      for (const { reject } of batch) reject(error)
    }
  }

  #decide(batch: readonly Update[], newest: Values): readonly StateChange[] {
    const merged = new Map<string, StateChange>()
    let values = newest
    for (const { given, changes: before, saw } of batch) {
      const changes = typeof given === 'function' && saw !== values ? this.#changesOf(given, values) : before
      for (const change of changes) {
        merged.delete(change.key)
        merged.set(change.key, change)
      }
      values = withChanges(values, changes)
    }
    refuseTooManyKeys(values)
    return [...merged.values()]
  }

  #changesOf(given: unknown, values: Values): readonly StateChange[] {
    const changes: unknown = typeof given === 'function' ? given(values) : given
    return readChanges(changes, this.#reserved)
  }
}
