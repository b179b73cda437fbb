import type { RunTimes } from '../../agent/run-times.ts'
import type { HostOptions } from '../host-options.ts'
import type { RunOrigin } from './origin.ts'

/** How long nothing may happen in a run: the smaller of what the host and the request say; a request cannot lift the host's. */
export function idleOf({ limits }: HostOptions, { request }: RunOrigin): RunTimes {
  const given = [limits?.idleTimeoutMs, request.idleTimeoutMs].filter((ms) => ms !== undefined && ms > 0)
  if (given.length === 0) return {}
  const whileAsking = request.approvals?.idlePolicy ?? 'continue'
  return { idle: { timeoutMs: Math.min(...(given as number[])), whileAsking } }
}
