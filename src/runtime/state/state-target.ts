import { ToolpostError } from '../../core/error.ts'
import type { Event } from '../../core/event.ts'
import type { StateChange } from '../../core/run/read-changes.ts'
import type { Values } from '../../core/run/state.ts'
import { withChanges } from '../../core/run/state-rules.ts'
import type { Journal } from '../journal.ts'

/** What a write does to the newest values; it is asked again when somebody else has written in between. */
export type DecideChanges = (values: Values) => readonly StateChange[]

/** Where the values of one scope are kept. */
export interface StateTarget {
  /** The newest values that are known here. */
  readonly values: Values
  /** Resolves when what was decided is kept. */
  write(decide: DecideChanges): Promise<void>
}

/** What a write comes from. */
export interface Writer {
  readonly run?: string
  readonly call?: string
}

const none: Values = Object.freeze({})

/** The values of a session. */
export function sessionTarget(journal: Journal, by: Writer): StateTarget {
  return {
    get values() {
      return journal.state.values
    },
    write: (decide) => journal.write((state) => changed('session', by, decide(state.values))),
  }
}

/** The values of one run: they change no more when it has ended. */
export function runTarget(journal: Journal, run: string, by: Writer): StateTarget {
  return {
    get values() {
      return journal.state.runs.get(run)?.values ?? none
    },
    write: (decide) =>
      journal.write((state) => {
        const now = state.runs.get(run)
        if (now !== undefined && now.ended === undefined)
          return changed('run', { ...by, run }, decide(now.values))
        throw new ToolpostError('INVALID_ARGUMENT', `The run ${run} has ended; its state can only be read.`)
      }),
  }
}

function changed(scope: string, by: Writer, changes: readonly StateChange[]): readonly Event[] {
  return changes.length === 0 ? [] : [{ type: 'state.changed', scope, ...by, changes }]
}

// A session has one open run at most, so that the values of an earlier one can go.
const kept = new WeakMap<Journal, { readonly run: string; readonly values: Values }>()

/** Values of one run in this process. */
export function temporaryTarget(journal: Journal, run: string): StateTarget {
  const read = () => {
    const last = kept.get(journal)
    return last?.run === run ? last.values : none
  }
  return {
    get values() {
      return read()
    },
    write: async (decide) => {
      const values = read()
      kept.set(journal, { run, values: withChanges(values, decide(values)) })
    },
  }
}
