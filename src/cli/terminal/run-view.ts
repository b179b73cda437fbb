import type { ChildEvent, RunEvent } from '../../agent/run-event.ts'
import type { RunResult } from '../../agent/run-result.ts'

/** Shows a run while it happens: to a person, or to a program. */
export interface RunView {
  event(event: RunEvent | ChildEvent): void
  /** The last word; nothing follows it. */
  end(result: RunResult): void | Promise<void>
}
