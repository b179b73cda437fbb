import { wasLeft } from '../core/move/next.ts'
import type { CallState } from '../core/run/state.ts'
import { wouldEnter } from '../runtime/recover.ts'
import type { Task } from '../runtime/task.ts'
import type { ChildLogs, TreeState } from './children/child-logs.ts'

/** What a look at resting calls needs. */
export interface Looking {
  readonly below: ChildLogs
  readonly task: Task
  readonly children: RestingChildren
  /** Whether this process answers questions. */
  readonly answersInputs: boolean
}

/** The runs beside a resting one. */
interface RestingChildren {
  /** Whether one runs that ends with the run. */
  readonly isBusy: boolean
  bring(call: CallState): boolean
  drivesBelow(call: CallState): boolean
}

/** The resting calls that can go on, and the first time at which one of the others can. */
export async function lookBelow(
  looking: Looking,
  resting: readonly CallState[],
): Promise<{ readonly ready: readonly CallState[]; readonly until?: number }> {
  const ready: CallState[] = []
  let first: number | undefined
  for (const call of resting) {
    const tree = await looking.below.ofCall(call)
    const { until } = tree
    if (tree.isReady || (await isToEnter(looking, call, tree))) ready.push(call)
    else if (until !== undefined && (first === undefined || until < first)) first = until
  }
  return first === undefined ? { ready } : { ready, until: first }
}

/**
 * Of what an earlier owner left at rest, the children go on without their call, so that their asks come before this
 * process's handlers; the call is entered when one of them has found something to do. It is entered for the children
 * that are known in no other way, if anybody here may have an answer for them, and when it would end thereby.
 */
async function isToEnter(
  { task, children, answersInputs }: Looking,
  call: CallState,
  tree: TreeState,
): Promise<boolean> {
  const { until, tickets, kinds, isDriven, isAtWork } = tree
  const waitsForTime = until !== undefined && tickets.length === 0 && !isDriven
  if (!wasLeft(call, task.lease.epoch) || waitsForTime) return false
  if (children.drivesBelow(call)) return isAtWork
  if (!(await wouldEnter(task, call))) return true
  if (children.bring(call)) return false
  return isDriven || kinds.some((kind) => kind !== 'input' || answersInputs)
}
