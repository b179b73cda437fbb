import type { Event } from '../core/event.ts'
import type { CallState } from '../core/run/state.ts'
import { isUncertain } from '../core/run/uncertain.ts'
import { closeOpenCalls } from './cancel.ts'
import type { Task } from './task.ts'

/**
 * `tell`: the run goes on. `stopped`: the run was stopped before the agent had said anything. Else it ends as failed, with
 * this sentence and the tool's code.
 */
export type FailureVerdict = 'tell' | 'stopped' | { readonly text: string; readonly code: string }

/** Ends a run over a call that failed or was refused, where the agent says so. Every such call is asked about once. */
export class StrictEnding {
  readonly #task: Task
  readonly #judge: (call: CallState) => Promise<FailureVerdict>
  readonly #told = new Set<string>()
  #isStopped = false
  #ending: Exclude<FailureVerdict, string> | undefined

  constructor(task: Task, judge: (call: CallState) => Promise<FailureVerdict>) {
    this.#task = task
    this.#judge = judge
  }

  /** Whether the run has ended: what had not begun is cancelled at once, what runs is waited for. */
  async hasEnded(): Promise<boolean> {
    for (const call of this.#calls()) {
      await this.#look(call)
      if (this.#isStopped) return false
    }
    if (this.#ending === undefined) return false
    await closeOpenCalls(this.#task, 'An earlier call failed, which ends the run.')
    if (this.#calls().some(({ end }) => end === undefined)) return false
    const ended: Event = { type: 'run.ended', run: this.#task.run, status: 'failed', ...this.#ending }
    await this.#task.journal.write(
      (state) => (state.runs.get(this.#task.run)?.ended === undefined ? [ended] : []),
      this.#task.lease,
    )
    return true
  }

  #calls(): CallState[] {
    const { runs, calls } = this.#task.journal.state
    const run = runs.get(this.#task.run)
    return (run?.stepCalls ?? []).flatMap((id) => calls.get(id) ?? [])
  }

  async #look(call: CallState): Promise<void> {
    const isBad = call.end?.status === 'failed' || call.end?.status === 'refused'
    if (this.#ending !== undefined || !isBad || this.#told.has(call.id)) return
    // What an unseen outcome means for the run is another rule's to say.
    const { onUncertain } = this.#task.journal.state.runs.get(this.#task.run) ?? {}
    if (onUncertain !== undefined && isUncertain(call)) return
    const verdict = await this.#judge(call)
    if (verdict === 'tell') this.#told.add(call.id)
    else if (verdict === 'stopped') this.#isStopped = true
    else this.#ending = verdict
  }
}
