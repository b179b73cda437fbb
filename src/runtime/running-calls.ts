import { endsRun } from '../core/move/next.ts'
import type { CallState } from '../core/run/state.ts'
import { closeOpenCalls } from './cancel.ts'
import { endResting } from './give-back.ts'
import { linkedSignal } from './race.ts'
import type { Task } from './task.ts'

/** The calls of a run that run at this moment: what is not in its log. */
export class RunningCalls {
  readonly #task: Task
  readonly #running = new Map<string, Promise<void>>()
  /** Stops the calls of a step, where one that fails ends the others. */
  #stop: AbortController | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(task: Task, failFast: boolean) {
    this.#task = task
    if (failFast) this.#stop = new AbortController()
  }

  get size(): number {
    return this.#running.size
  }

  /** Resolves when the first of them settles. Errors: what a call could not be brought to its end for. */
  async first(): Promise<void> {
    await Promise.race(this.#running.values())
    this.throwIfBroken()
  }

  async all(): Promise<void> {
    await this.over()
    this.throwIfBroken()
  }

  /** The same, whatever becomes of them. */
  async over(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  throwIfBroken(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Enters calls, each once at a time, and waits for the first that settles. */
  async enter(
    calls: readonly CallState[],
    how: (task: Task, call: CallState) => Promise<void>,
  ): Promise<void> {
    for (const { id } of calls) {
      if (!this.#running.has(id)) this.#running.set(id, this.#settle(id, how))
    }
    await this.first()
  }

  /** Ends all other calls of a step in which one has failed: those that run, those that wait, and those that ask. */
  async failStep(open: () => readonly CallState[]): Promise<void> {
    const reason = new Error('Another call of the same step failed.')
    this.#stop?.abort(reason)
    await this.all()
    for (const call of open().filter(({ status }) => status === 'resting'))
      await endResting(this.#task, call, reason)
    await closeOpenCalls(this.#task, reason.message)
    this.#stop = new AbortController()
  }

  async #settle(id: string, how: (task: Task, call: CallState) => Promise<void>): Promise<void> {
    const { calls } = this.#task.journal.state
    try {
      const call = calls.get(id)
      if (call !== undefined) await this.#stoppable((task) => how(task, call))
      const ended = calls.get(id)
      if (ended !== undefined && endsRun(ended))
        await closeOpenCalls(this.#task, 'An earlier call ended the run.')
    } catch (error) {
      this.#failure ??= { error }
    } finally {
      this.#running.delete(id)
    }
  }

  async #stoppable(action: (task: Task) => Promise<void>): Promise<void> {
    if (this.#stop === undefined) return await action(this.#task)
    const linked = linkedSignal([this.#task.signal, this.#stop.signal])
    try {
      await action({ ...this.#task, signal: linked.signal })
    } finally {
      linked.release()
    }
  }
}
