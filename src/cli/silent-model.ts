import type { Driver } from '../core/driver.ts'
import { scriptedModel } from '../models/scripted.ts'

/** What stands in the log where a run's model stands, for a call that a person made. */
export const callModelName = 'command-line/call'

/** A model that has nothing to add: for calls that a person makes, and for commands that ask no model. */
export function silentModel(): Driver {
  return { ...scriptedModel(() => ''), name: callModelName }
}
