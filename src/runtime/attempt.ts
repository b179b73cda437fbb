import type { Execution, ExecutionContext } from '../core/executor.ts'
import { limits } from '../core/limits.ts'
import { readExecution } from '../core/read-execution.ts'
import type { CallState } from '../core/run/state.ts'
import type { RetryPolicy, Tool } from '../core/tool/tool.ts'
import { leave, OutOfTime, orAborted, withDeadline } from './race.ts'
import { surroundings } from './surroundings.ts'
import type { Task } from './task.ts'
import { argumentsOf } from './validator.ts'

/** The code of a call whose executor broke its contract: what became of the call, nobody saw. */
export const brokenCode = 'executor_broke'

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
    if (result.code === brokenCode || !isRetryable(tool.retry, result.cause)) return tried
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
  const context = surroundings(task, call.id, signal, tries, (progress) => task.onProgress(call.id, progress))
  const running = executeSafely(task, tool, call, context)
  const first = await orAborted(running, signal)
  if ('value' in first) return { result: first.value, tries }
  return await afterAbort(task, running, signal, tries)
}

async function executeSafely(
  task: Task,
  tool: Tool,
  call: CallState,
  context: ExecutionContext,
): Promise<Execution> {
  const parsed = await argumentsOf(task, tool, call)
  if ('fault' in parsed) return { status: 'failed', code: 'invalid_arguments', message: parsed.fault }
  const { id, name, digest = '', attempt: claim } = call
  try {
    const args = parsed.value
    const said: unknown = await tool.executor.execute({ id, name, claim, args, digest }, context)
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
  const waiting = new AbortController()
  const patience = task.parts.clock.sleep(limits.acknowledgeMs, waiting.signal).then(
    () => undefined,
    () => undefined,
  )
  const answer = await Promise.race([running, patience])
  waiting.abort()
  const { reason } = signal
  if (answer === undefined)
    return { result: { status: 'abandoned', reason, acknowledged: false }, tries, late: running }
  if (answer.status === 'failed')
    return { result: { status: 'abandoned', reason, acknowledged: true }, tries }
  const tooLate = reason instanceof OutOfTime
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
