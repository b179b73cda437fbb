import type { ChildEvent, RunEvent } from '../../agent/run-event.ts'
import type { RunResult } from '../../agent/run-result.ts'
import { plainJson } from '../../core/json/encode.ts'
import { stringifyJson } from '../../core/json/stringify.ts'
import type { RunView } from './run-view.ts'

/** Writes one value as JSON text and a line feed; big integers keep their digits. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${stringifyJson(plainJson(value))}\n`)
}

/** What is gone once it was shown. */
const fleeting = ['text.delta', 'reasoning.delta', 'call.delta', 'call.progressed', 'warning']

/** Shows a run to a program: the events of the log, and those of the runs below with their path, one a line, and at last a line of type `result`. */
export class JsonLines implements RunView {
  readonly #session: string
  readonly #next: (result: RunResult) => Promise<readonly string[]>

  constructor(session: string, next: (result: RunResult) => Promise<readonly string[]>) {
    this.#session = session
    this.#next = next
  }

  event(event: RunEvent | ChildEvent): void {
    const { type } = event.type === 'child.event' ? event.event : event
    if (!fleeting.includes(type)) writeJson(event)
  }

  async end(result: RunResult): Promise<void> {
    const next = await this.#next(result)
    writeJson({ type: 'result', session: this.#session, ...result, next })
  }
}
