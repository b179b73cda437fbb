import { removeSession } from '../../agent/remove-session.ts'
import type { SessionState } from '../../core/run/state.ts'
import type { IndexQuery, IndexRow } from '../../core/store.ts'
import { Journal } from '../../runtime/journal.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import type { HostLimits } from '../host-options.ts'
import { hostAgentName } from '../runs/run-agent.ts'
import { isQuiet } from './is-quiet.ts'
import { sessionProviderKey, sessionProviderOf } from './session-provider.ts'

/** Sessions that one look goes through, and those that it removes: a look is short, and the next one goes on behind it. */
const lookedAtMax = 1_000
const removedMax = 200

/**
 * Removes what has been kept as long as the host's limits say: runs with the sessions that were made for them alone, and
 * conversations. What is open, waits, or has a call that nobody has reconciled stays. Several hosts of a store may look at
 * once: a session is removed by who owns it, when its log still says that it may go.
 */
export class Retention {
  readonly #parts: RuntimeParts
  readonly #runMs: number
  readonly #sessionMs: number
  /** The last session that was looked at; absent: the next look begins with the oldest. */
  #after: IndexQuery['after']
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor({ runRetentionMs, sessionRetentionMs }: HostLimits = {}, parts: RuntimeParts) {
    this.#parts = parts
    this.#runMs = runRetentionMs ?? Number.POSITIVE_INFINITY
    this.#sessionMs = sessionRetentionMs ?? Number.POSITIVE_INFINITY
  }

  /** One look, the oldest sessions first, from where the last one ended; one at a time. Never rejects. */
  async look(): Promise<void> {
    if (this.#shortestMs === Number.POSITIVE_INFINITY || this.#isStopped) return
    this.#looking ??= this.#look()
      // What cannot be read or removed now is looked at again.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined
      })
    await this.#looking
  }

  /** Resolves when nothing is removed any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#looking
  }

  get #shortestMs(): number {
    return Math.min(this.#runMs, this.#sessionMs)
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#parts
    const after = this.#after === undefined ? {} : { after: this.#after }
    const rows = await store.list({ kind: 'session', limit: lookedAtMax, ...after })
    let removed = 0
    for (const row of rows) {
      if (this.#isStopped || removed === removedMax) return
      // Who began later cannot have ended long enough ago.
      if (row.at > clock.now() - this.#shortestMs) break
      if (await this.#removeIfOver(row).catch(() => false)) removed += 1
      this.#after = { at: row.at, id: row.id }
      if (row === rows.at(-1) && rows.length === lookedAtMax) return
    }
    this.#after = undefined
  }

  /** Asks the index first, and reads no log of what was used a short while ago. */
  async #removeIfOver(row: IndexRow): Promise<boolean> {
    const { store, clock } = this.#parts
    const { id, stream, data } = row
    if (data.agent !== hostAgentName || data.root !== undefined) return false
    const [newest] = await store.list({ kind: 'run', stream, newestFirst: true, limit: 1 })
    const usedAt = newest === undefined ? row.at : newest.data.endedAt
    if (typeof usedAt !== 'number' || usedAt > clock.now() - this.#shortestMs) return false
    if (usedAt > clock.now() - (await this.#keptMs(stream))) return false
    return await removeSession(this.#parts, id, async () => {
      const { state } = await Journal.open(store, id, clock)
      return this.#isOver(state) && (await isQuiet(this.#parts, state))
    })
  }

  /** Its first events tell a conversation from what a run was given. */
  async #keptMs(stream: string): Promise<number> {
    const first = await this.#parts.store.read(stream, { limit: 2 })
    const isConversation = first.some(
      ({ event }) =>
        event.type === 'state.changed' && event.changes.some(({ key }) => key === sessionProviderKey),
    )
    return isConversation ? this.#sessionMs : this.#runMs
  }

  #isOver(state: SessionState): boolean {
    const keptMs = sessionProviderOf(state) === undefined ? this.#runMs : this.#sessionMs
    const uses = [...state.runs.values()].map(({ ended }) => ended?.at ?? Number.POSITIVE_INFINITY)
    return Math.max(state.startedAt, ...uses) <= this.#parts.clock.now() - keptMs
  }
}
