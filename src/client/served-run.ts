import { HostError, hostErrorOf } from '../protocol/host-error.ts'
import type { RunResult } from '../protocol/run/run-result.ts'
import { isTerminal, type RunEvent, type TerminalEvent } from '../protocol/stream/run-event.ts'
import { ClosableStream } from './closable-stream.ts'

/** A run whose functions are served while its events are read. */
export class ServedRun extends ClosableStream<RunEvent> {
  #end: TerminalEvent | undefined

  override async next(): Promise<IteratorResult<RunEvent, void>> {
    const step = await super.next()
    if (step.done !== true && isTerminal(step.value)) this.#end = step.value
    return step
  }

  /**
   * Reads on to the end, and gives the result. Throws what the run failed or was cancelled with, and CANCELLED when the
   * iteration was closed before.
   */
  async result(): Promise<RunResult> {
    let step = await this.next()
    while (step.done !== true) step = await this.next()
    if (this.#end === undefined) {
      throw new HostError('CANCELLED', 'The run was closed before its end.', { outcome: 'uncertain' })
    }
    if (this.#end.type === 'run.completed') return this.#end.result
    throw hostErrorOf(this.#end.error)
  }
}
