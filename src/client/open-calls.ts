import type { RunEvent } from '../protocol/stream/run-event.ts'

/** The calls of a run that were given to the application and whose end the stream has not told. */
export class OpenCalls {
  readonly #ids = new Set<string>()

  get isEmpty(): boolean {
    return this.#ids.size === 0
  }

  follow(event: RunEvent): void {
    if (event.type === 'tool.execution.requested') this.#ids.add(event.execution.call.id)
    if (event.type === 'tool.completed' || event.type === 'tool.failed') this.#ids.delete(event.callId)
  }
}
