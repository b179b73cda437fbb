import type { Event } from '../core/event.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { SessionState } from '../core/run/state.ts'
import type { Definition } from './definition.ts'
import { newFingerprint } from './fingerprint.ts'

/** The event with which a run begins. */
export function runStartedEvent(
  definition: Definition,
  state: SessionState,
  { run, mode, model = definition.driver.name }: { run: string; mode: ToolMode | undefined; model?: string },
): Event {
  const { stepsMax, callsMax, onUncertain, structure } = definition
  return {
    type: 'run.started',
    run,
    ...(mode === undefined ? {} : { mode }),
    model,
    stepsMax,
    callsMax,
    ...(onUncertain === 'tell' ? {} : { onUncertain }),
    ...(structure === undefined ? {} : { structure }),
    ...newFingerprint(definition, state.fingerprint),
  }
}
