import type { RuntimeParts } from '../runtime/parts.ts'
import type { HostOptions } from './host-options.ts'
import type { Runs } from './runs/runs.ts'

/** What a host is made of, for whatever it is asked. */
export interface HostParts {
  readonly options: HostOptions
  readonly runs: Runs
  readonly parts: RuntimeParts
}
