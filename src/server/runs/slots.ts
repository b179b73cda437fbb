import type { DriverTurn } from '../../core/driver.ts'
import { HostError } from '../../protocol/host-error.ts'
import { orAborted } from '../../runtime/race.ts'
import type { HostLimits } from '../host-options.ts'

interface Waiting {
  readonly subject: string
  readonly enter: () => void
}

/** A run's right to be at work. */
export interface Slot {
  /** Whether the run waits for its turn; that is no idle time. */
  readonly turn: DriverTurn
  /**
   * Waits until the run may work; rejects with the signal's reason, or with what stands against a run that was let in to
   * wait. Does nothing while it works.
   */
  enter(signal: AbortSignal): Promise<void>
  /** Lets others work, because this run waits. */
  rest(): void
  /** The run has ended. */
  leave(): void
}

/**
 * Who may work: so many runs in all and of one subject. Subjects take turns, so that nobody waits behind the many of
 * another one. A run that waits for a person or an application has no place here.
 */
export class Slots {
  readonly #total: number
  readonly #perSubject: number
  readonly #queueTotal: number
  readonly #queuePerSubject: number
  readonly #working = new Map<string, number>()
  /** By subject, in turn. */
  readonly #waiting = new Map<string, Waiting[]>()
  #active = 0
  /** New runs that were let in and have not worked yet, and wait for that. */
  readonly #queued = new Map<string, number>()

  constructor({ concurrentRuns = 32, concurrentRunsPerSubject = 4, queue }: HostLimits = {}) {
    this.#total = concurrentRuns
    this.#perSubject = concurrentRunsPerSubject
    this.#queueTotal = queue?.total ?? 0
    this.#queuePerSubject = queue?.perSubject ?? 0
  }

  get active(): number {
    return this.#active
  }

  get queued(): number {
    return sum(this.#queued)
  }

  /**
   * Lets a new run in, to work or to wait; after a wait `confirm` says whether it still may. Errors: BUSY, QUEUE_FULL.
   */
  admit(subject: string, confirm?: () => Promise<void>): Slot {
    const slot = new HeldSlot(this, subject, confirm)
    if (this.#hasRoom(subject)) {
      this.#take(subject)
      slot.state = 'working'
      return slot
    }
    const own = this.#queued.get(subject) ?? 0
    if (this.#queueTotal === 0) throw new HostError('BUSY', 'The host has no room for another run now.')
    if (this.queued >= this.#queueTotal || own >= this.#queuePerSubject)
      throw new HostError('QUEUE_FULL', 'Too many runs wait already.')
    this.#queued.set(subject, own + 1)
    slot.state = 'queued'
    return slot
  }

  /** A run that goes on after a restart. */
  resume(subject: string): Slot {
    return new HeldSlot(this, subject)
  }

  /** For the slot itself. */
  enter(subject: string, signal: AbortSignal): Promise<void> {
    if (this.#hasRoom(subject)) {
      this.#take(subject)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const list = this.#waiting.get(subject) ?? []
      const waiting: Waiting = { subject, enter: () => finish(resolve) }
      const stop = () => {
        const index = list.indexOf(waiting)
        if (index >= 0) list.splice(index, 1)
        if (list.length === 0) this.#waiting.delete(subject)
        finish(() => reject(signal.reason))
      }
      const finish = (then: () => void) => {
        signal.removeEventListener('abort', stop)
        then()
      }
      if (signal.aborted) return reject(signal.reason)
      list.push(waiting)
      this.#waiting.set(subject, list)
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  /** For the slot itself. */
  unqueue(subject: string): void {
    change(this.#queued, subject, -1)
  }

  /** For the slot itself. */
  release(subject: string): void {
    this.#active -= 1
    change(this.#working, subject, -1)
    for (const [next, list] of [...this.#waiting]) {
      if (!this.#hasRoom(next)) continue
      const [first] = list.splice(0, 1)
      // Who had his turn goes to the end of the line of subjects.
      this.#waiting.delete(next)
      if (list.length > 0) this.#waiting.set(next, list)
      this.#take(next)
      first?.enter()
      return
    }
  }

  #hasRoom(subject: string): boolean {
    return this.#active < this.#total && (this.#working.get(subject) ?? 0) < this.#perSubject
  }

  #take(subject: string): void {
    this.#active += 1
    change(this.#working, subject, 1)
  }
}

class HeldSlot implements Slot {
  readonly turn = new Turn()
  readonly #slots: Slots
  readonly #subject: string
  readonly #confirm: (() => Promise<void>) | undefined
  #confirmed: Promise<void> | undefined
  state: 'working' | 'queued' | 'resting' | 'left' = 'resting'

  constructor(slots: Slots, subject: string, confirm?: () => Promise<void>) {
    this.#slots = slots
    this.#subject = subject
    this.#confirm = confirm
  }

  async enter(signal: AbortSignal): Promise<void> {
    if (this.state !== 'working' && this.state !== 'left') await this.#wait(signal)
    if (this.#confirmed !== undefined) await orAborted(this.#confirmed, signal)
  }

  async #wait(signal: AbortSignal): Promise<void> {
    await this.turn.await(this.#slots.enter(this.#subject, signal))
    if (this.state === 'queued') {
      this.#slots.unqueue(this.#subject)
      this.#confirmed = this.#confirm?.()
    }
    if ((this.state as string) === 'left') this.#slots.release(this.#subject)
    else this.state = 'working'
  }

  rest(): void {
    if (this.state !== 'working') return
    this.state = 'resting'
    this.#slots.release(this.#subject)
  }

  leave(): void {
    if (this.state === 'queued') this.#slots.unqueue(this.#subject)
    if (this.state === 'working') this.#slots.release(this.#subject)
    this.state = 'left'
  }
}

class Turn implements DriverTurn {
  isAwaited = false
  readonly #listeners = new Set<() => void>()

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async await(entered: Promise<void>): Promise<void> {
    this.isAwaited = true
    try {
      await entered
    } finally {
      this.isAwaited = false
      for (const listener of [...this.#listeners]) listener()
    }
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const next = (counts.get(key) ?? 0) + by
  if (next <= 0) counts.delete(key)
  else counts.set(key, next)
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
