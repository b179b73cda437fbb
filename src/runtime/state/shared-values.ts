import { ToolpostError } from '../../core/error.ts'
import type { Event } from '../../core/event.ts'
import { deepFreeze } from '../../core/json/deep-freeze.ts'
import { limits } from '../../core/limits.ts'
import type { Values } from '../../core/run/state.ts'
import { withChanges } from '../../core/run/state-rules.ts'
import type { StoredEvent } from '../../core/store.ts'
import type { RuntimeParts } from '../parts.ts'
import type { DecideChanges, StateTarget, Writer } from './state-target.ts'

/**
 * The values of one of the application's own scopes, for one id. They have a log of their own, which sessions and
 * processes share: a write that loses a race for the sequence is decided anew on what won, so that nothing is lost.
 */
export class SharedValues {
  readonly stream: string
  readonly #scope: string
  readonly #id: string
  readonly #parts: Pick<RuntimeParts, 'store' | 'clock'>
  #values: Values = Object.freeze({})
  #sequence = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(parts: Pick<RuntimeParts, 'store' | 'clock'>, scope: string, id: string) {
    this.#parts = parts
    this.#scope = scope
    this.#id = id
    this.stream = `state:${scope}:${id}`
  }

  /** As far as this process has read. */
  get values(): Values {
    return this.#values
  }

  /** Takes in what others have written. */
  refresh(): Promise<void> {
    return this.#next(() => this.#readOn())
  }

  /** These values, as a session writes them. */
  target(session: string, by: Writer): StateTarget {
    const valuesNow = () => this.#values
    return {
      get values() {
        return valuesNow()
      },
      write: (decide) => this.#next(() => this.#write(decide, { session, ...by })),
    }
  }

  #next(action: () => Promise<void>): Promise<void> {
    const result = this.#queue.then(action)
    this.#queue = result.catch(() => undefined)
    return result
  }

  async #write(decide: DecideChanges, by: Writer & { readonly session: string }): Promise<void> {
    for (let tries = 0; tries < limits.appendTriesMax; tries += 1) {
      const changes = decide(this.#values)
      if (changes.length === 0) return
      const whose = { scope: this.#scope, id: this.#id, ...by }
      if (await this.#append({ type: 'state.changed', ...whose, changes })) return
      await this.#readOn()
    }
    throw new ToolpostError(
      'STORE_CONFLICT',
      `The values of "${this.#scope}" change faster than they can be written.`,
    )
  }

  async #append(event: Event): Promise<boolean> {
    const { store, clock } = this.#parts
    const events = [{ at: clock.now(), event: deepFreeze(event) }]
    const { ok } = await store.append({ streams: [{ stream: this.stream, after: this.#sequence, events }] })
    if (ok) this.#fold(event)
    return ok
  }

  async #readOn(): Promise<void> {
    const events = await this.#parts.store.read(this.stream, { after: this.#sequence })
    for (const { event } of events as readonly StoredEvent[]) this.#fold(deepFreeze(event))
  }

  #fold(event: Event): void {
    if (event.type !== 'state.changed' || event.scope !== this.#scope) {
      throw new ToolpostError(
        'ILLEGAL_EVENT',
        `Event ${this.#sequence + 1} of ${this.stream} is no change of its values.`,
      )
    }
    this.#values = withChanges(this.#values, event.changes)
    this.#sequence += 1
  }
}
