import type { Execution, ExecutionContext, Progress } from '../core/executor.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import { readExecution } from '../core/read-execution.ts'
import type { CallState } from '../core/run/state.ts'
import type { RetryPolicy, Tool } from '../core/tool/tool.ts'
import { childrenChangedCode, treeLimitCode, unseenBelowCode } from './children.ts'
import { leave, OutOfTime, orAborted, withDeadline } from './race.ts'
import { StateOfCall } from './state/state-of-call.ts'
import { surroundings } from './surroundings.ts'
import type { Task } from './task.ts'
import { argumentsOf, inputOf } from './validator.ts'

/** The code of a call whose executor broke its contract: what became of the call, nobody saw. */
const brokenCode = 'executor_broke'

/** The code of a call that ran, but whose changes of the state were not kept. */
const stateCode = 'state_not_written'

/** Whether a call that failed with this code may have had its effect all the same. */
export function isUnclear(code: string): boolean {
  return [brokenCode, stateCode, childrenChangedCode, unseenBelowCode].includes(code)
}

/** What the tries of one claim came to. */
export interface Attempted {
  /**
   * `abandoned`: the signal aborted and the tool had not acknowledged it in time. `acknowledged` is true when
   * it stopped by throwing, so that no effect of it can come later.
   */
  readonly result:
    | Execution
    | { readonly status: 'abandoned'; readonly reason: unknown; readonly acknowledged: boolean }
  readonly tries: number
  readonly durationMs: number
  /** The outcome of an abandoned try, if it ever reports. */
  readonly late?: Promise<Execution>
}

/** Executes a claimed call: retries inside the timeout, and an abort that reaches the tool. Never rejects. */
export async function attempt(task: Task, tool: Tool, call: CallState): Promise<Attempted> {
  const { clock } = task.parts
  const startedAt = clock.now()
  const what = `Tool "${tool.name}"`
  const tried = await withDeadline(clock, what, tool.timeoutMs, task.signal, (signal) =>
    tryAgain(task, tool, call, signal),
  )
  return { ...tried, durationMs: Math.max(0, clock.now() - startedAt) }
}

type Tried = Omit<Attempted, 'durationMs'>

async function tryAgain(task: Task, tool: Tool, call: CallState, signal: AbortSignal): Promise<Tried> {
  const attemptsMax = tool.retry?.maxAttempts ?? 1
  for (let tries = 1; ; tries += 1) {
    const tried = await tryOnce(task, tool, call, signal, tries)
    const { result } = tried
    if (result.status !== 'failed' || tool.retry === undefined || tries >= attemptsMax) return tried
    if (isUnclear(result.code) || result.code === treeLimitCode || !isRetryable(tool.retry, result.cause))
      return tried
    const delayMs = retryDelayMs(tool.retry, tries, task.parts.random())
    const slept = await task.parts.clock.sleep(delayMs, signal).then(
      () => true,
      () => false,
    )
    if (!slept) return { result: { status: 'abandoned', reason: signal.reason, acknowledged: true }, tries }
  }
}

async function tryOnce(
  task: Task,
  tool: Tool,
  call: CallState,
  signal: AbortSignal,
  tries: number,
): Promise<Tried> {
  if (signal.aborted) {
    return { result: { status: 'abandoned', reason: signal.reason, acknowledged: true }, tries: tries - 1 }
  }
  const running = executeSafely(task, tool, call, { signal, tries })
  const first = await orAborted(running, signal)
  if ('value' in first) return { result: first.value, tries }
  return await afterAbort(task, running, signal, tries)
}

/** One try to its end: what it wrote into the state is written before it counts as ended. */
async function executeSafely(
  task: Task,
  tool: Tool,
  call: CallState,
  { signal, tries }: { readonly signal: AbortSignal; readonly tries: number },
): Promise<Execution> {
  const state = new StateOfCall(task, call.id, true)
  let isOver = false
  // What a function reports after it has returned is of a call that has ended.
  const onProgress = (progress: Progress) => {
    if (!isOver) task.onProgress(call.id, progress)
  }
  const children = task.children?.forTry(call.id, signal)
  const around = surroundings(task, call.id, signal, tries, onProgress, state, children)
  const ended = await enter(task, tool, call, around)
  isOver = true
  // A function cannot keep its call from resting: what it returned or threw counts for nothing then.
  const execution = (await children?.settled(ended)) ?? ended
  const failure = await state.settled()
  if (failure === undefined || execution.status === 'failed') return execution
  const message = `The tool ran, but what it wrote into the state was not kept: ${messageOf(failure.error)}`
  return { status: 'failed', code: stateCode, message, cause: failure.error }
}

async function enter(task: Task, tool: Tool, call: CallState, context: ExecutionContext): Promise<Execution> {
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return { status: 'failed', code: 'invalid_arguments', message: parsed.fault }
  const input = await inputOf(task, tool, call)
  if ('fault' in input) return { status: 'failed', code: 'invalid_input', message: input.fault }
  const { id, name, digest = '', attempt: claim } = call
  try {
    const args = parsed.value
    const said: unknown = await tool.executor.execute({ id, name, claim, args, digest, ...input }, context)
    return readExecution(said) ?? brokenOff(undefined)
  } catch (error) {
    return brokenOff(error)
  }
}

/** An executor that rejects or answers nonsense breaks its contract; the call must end all the same. */
function brokenOff(cause: unknown): Execution {
  return { status: 'failed', code: brokenCode, message: 'The executor broke off.', cause }
}

/** The tool was told to stop: what it says within the time to acknowledge counts, what it says later is late. */
async function afterAbort(
  task: Task,
  running: Promise<Execution>,
  signal: AbortSignal,
  tries: number,
): Promise<Tried> {
  let cancel = () => {}
  const patience = new Promise<undefined>((resolve) => {
    cancel = task.parts.clock.timer(limits.acknowledgeMs, () => resolve(undefined))
  })
  const answer = await Promise.race([running, patience])
  cancel()
  const { reason } = signal
  if (answer === undefined)
    return { result: { status: 'abandoned', reason, acknowledged: false }, tries, late: running }
  const tooLate = reason instanceof OutOfTime
  if (answer.status === 'failed' || (answer.status === 'resting' && tooLate))
    return { result: { status: 'abandoned', reason, acknowledged: true }, tries }
  if (!tooLate) return { result: answer, tries }
  return { result: { status: 'abandoned', reason, acknowledged: false }, tries, late: running }
}

function isRetryable(retry: RetryPolicy, cause: unknown): boolean {
  try {
    const answer: unknown = retry.retryableErrors === undefined || retry.retryableErrors(cause)
    if (answer !== true) leave(answer)
    return answer === true
  } catch {
    return false
  }
}

/** Grows by the factor, spread between this delay and the next, never outside [initial, maximum]. */
export function retryDelayMs(retry: RetryPolicy, failures: number, random: number): number {
  const base = retry.initialDelayMs * retry.backoffMultiplier ** (failures - 1)
  const spread = base + random * base * (retry.backoffMultiplier - 1)
  return Math.min(retry.maxDelayMs, spread)
}
