import type { Driver } from '../core/driver.ts'
import { scriptedModel } from '../models/scripted.ts'

/** A model that has nothing to add: for calls that a person makes, and for commands that ask no model. */
export function silentModel(): Driver {
  return { ...scriptedModel(() => ''), name: 'command-line/silent' }
}
