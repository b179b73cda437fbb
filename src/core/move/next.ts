import type { CallState, RunState, SessionState } from '../run/state.ts'
import { isUncertain } from '../run/uncertain.ts'

/** What is to be done with a run; it follows from the log and from who owns the session, and from nothing else. */
export type Move =
  /** Ask the model for its next step. */
  | { readonly move: 'model'; readonly step: number }
  /** Calls that an earlier owner claimed and left without an outcome. */
  | { readonly move: 'recover'; readonly calls: readonly CallState[] }
  /** Calls that may be judged and started now, in this order. */
  | { readonly move: 'start'; readonly calls: readonly CallState[] }
  /** Nothing can be done until calls of this owner settle. */
  | { readonly move: 'settle' }
  /** Nothing can be done until one of these tickets is decided, or what one of these calls waits for is there. */
  | { readonly move: 'rest'; readonly tickets: readonly string[]; readonly resting: readonly CallState[] }
  | {
      readonly move: 'end'
      readonly by: 'text' | 'control' | 'cut_short' | 'step_limit' | 'call_limit' | 'uncertain'
    }
  /** The run has ended. */
  | { readonly move: 'none' }

/**
 * The next move of a run. Calls go one at a time in the order of the model's message; calls of tools
 * that say `parallel` may overlap with parallel neighbours; a call that waits for a decision keeps its place. Tools
 * that stop to ask a person for their result come after all others, ask together, and go on when all have been answered.
 * A call that shares the outcome of an equal one of its step waits for that one's end.
 */
export function nextMove(state: SessionState, run: RunState, epoch: number): Move {
  if (run.ended !== undefined) return { move: 'none' }
  if (run.step === 0) return { move: 'model', step: 1 }
  const calls = run.stepCalls.map((id) => state.calls.get(id) as CallState)
  // A call that was given back rests until what it waits for is there, whoever owns the session by then.
  const isLeft = (call: CallState) => call.status === 'started' && wasLeft(call, epoch)
  if (calls.some(isLeft)) return { move: 'recover', calls: calls.filter(isLeft) }
  return calls.every(isEnded) ? afterStep(state, run, calls) : withinStep(run, calls)
}

function isEnded(call: CallState): boolean {
  return call.end !== undefined
}

/** Whether a call was entered in some process and has no outcome yet. One that was handed out is in none. */
export function isEntered({ status }: CallState): boolean {
  return status === 'started' || status === 'resting'
}

/** Whether an earlier owner of the session than that of this lease entered the call and left it. */
export function wasLeft(call: CallState, epoch: number): boolean {
  return isEntered(call) && (call.epoch ?? 0) < epoch
}

/** Whether a later owner has taken the run up. */
export function wasTakenOver(state: SessionState, run: RunState, epoch: number): boolean {
  return run.stepCalls.some((id) => (state.calls.get(id)?.epoch ?? 0) > epoch)
}

function afterStep(state: SessionState, run: RunState, calls: readonly CallState[]): Move {
  const uncertain = run.onUncertain !== undefined && calls.some(isUncertain)
  if (uncertain)
    return run.onUncertain === 'fail'
      ? { move: 'end', by: 'uncertain' }
      : { move: 'rest', tickets: [], resting: [] }
  if (calls.some(endsRun)) return { move: 'end', by: 'control' }
  const isLast = calls.length === 0 && run.outputRefused?.step !== run.step
  if (isLast) return { move: 'end', by: wasCutShort(state) ? 'cut_short' : 'text' }
  if (run.step >= run.stepsMax) return { move: 'end', by: 'step_limit' }
  if (run.callCount >= run.callsMax) return { move: 'end', by: 'call_limit' }
  return { move: 'model', step: run.step + 1 }
}

function wasCutShort(state: SessionState): boolean {
  const last = state.history.at(-1)
  return last?.role === 'assistant' && last.finish !== 'stop' && last.finish !== 'calls'
}

/** Whether a call ended its run by a control signal. */
export function endsRun(call: CallState): boolean {
  return call.end?.status === 'completed' && call.end.control !== undefined
}

function withinStep(run: RunState, calls: readonly CallState[]): Move {
  const open = calls.filter((call) => !isEnded(call))
  const isHeld = ({ shares }: CallState) => shares !== undefined && open.some(({ id }) => id === shares)
  const isFree = (call: CallState) => isReady(call) && !isHeld(call)
  const free = startable(open, isFree)
  if (free.length > 0) return { move: 'start', calls: free }
  if (open.some((call) => call.status === 'started')) return { move: 'settle' }
  const resting = open.filter((call) => call.status === 'resting')
  return { move: 'rest', tickets: run.openTickets, resting }
}

function startable(open: readonly CallState[], isFree: (call: CallState) => boolean): CallState[] {
  const plain = open.filter((call) => call.yields !== true)
  if (plain.length > 0) return inOrder(plain, isFree)
  const unasked = open.filter((call) => isFree(call) && call.input === undefined)
  if (unasked.length > 0) return unasked
  return open.some(({ status }) => status === 'asking') ? [] : inOrder(open, isFree)
}

function isReady({ status }: CallState): boolean {
  return status === 'proposed' || status === 'decided'
}

function inOrder(open: readonly CallState[], isFree: (call: CallState) => boolean): CallState[] {
  const free: CallState[] = []
  let earlier: 'none' | 'parallel' | 'serial' = 'none'
  for (const call of open) {
    if (isFree(call) && (earlier === 'none' || (call.parallel && earlier === 'parallel'))) free.push(call)
    if (!call.parallel) return free
    earlier = 'parallel'
  }
  return free
}
