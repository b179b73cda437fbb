import type { Event } from '../core/event.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { RunState, SessionState } from '../core/run/state.ts'
import type { Definition } from './definition.ts'
import { newFingerprint } from './fingerprint.ts'
import type { RunTimes } from './run-times.ts'
import { recordedTimes } from './run-times.ts'

interface NewRun {
  readonly run: string
  readonly mode: ToolMode | undefined
  readonly model?: string
  /** The digest of what it was started for. */
  readonly origin?: string
  /** The rule of the run above for outcomes that nobody saw; the stricter one holds. */
  readonly onUncertain?: RunState['onUncertain']
  /** What was asked for this run alone. */
  readonly times?: RunTimes
}

/** The event with which a run begins. */
export function runStartedEvent(
  definition: Definition,
  state: SessionState,
  { run, mode, model = definition.driver.name, times = {}, origin, onUncertain: above }: NewRun,
): Event {
  const { stepsMax, callsMax, structure } = definition
  const rules = [definition.onUncertain, above]
  const onUncertain = strictness.find((rule) => rules.includes(rule))
  return {
    type: 'run.started',
    run,
    ...(mode === undefined ? {} : { mode }),
    model,
    stepsMax,
    callsMax,
    ...(onUncertain === undefined ? {} : { onUncertain }),
    ...(structure === undefined ? {} : { structure }),
    ...(origin === undefined ? {} : { origin }),
    ...recordedTimes(definition.parts.clock.now(), times, definition.times),
    ...newFingerprint(definition, state.fingerprint),
  }
}

const strictness = ['fail', 'pause'] as const
