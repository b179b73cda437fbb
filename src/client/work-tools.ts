import { isHostError } from '../protocol/host-error.ts'
import type { ToolExecution } from '../protocol/tool-executions/tool-execution.ts'
import { clientBounds } from './bounds.ts'
import { type CarryParts, carryOut } from './carry-out.ts'
import type { RequestOptions } from './client-options.ts'
import { pause } from './pause.ts'
import { readOptions } from './read-options.ts'
import { checkTools, type ServedTools } from './served-tool.ts'

/** What a worker takes beside its functions. */
export interface WorkOptions extends RequestOptions {
  /**
   * Told what a function threw, what is wrong with its output, and what its result was refused with; without it a result
   * that is refused ends the worker.
   */
  readonly onFailure?: (fault: unknown, execution: ToolExecution) => void
}

/** See `Client.workTools`. */
export async function workTools(parts: CarryParts, tools: ServedTools, options?: WorkOptions): Promise<void> {
  const { signal, onFailure } = readOptions(options, 'client.workTools()', ['onFailure'])
  checkTools(tools)
  const worker = new Worker({ ...parts, onFailure }, tools, signal)
  await worker.work()
}

/** A process that carries executions out, whichever runs they are of. */
class Worker {
  readonly #parts: CarryParts
  readonly #tools: ServedTools
  readonly #leaving: AbortSignal | undefined
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #running = new Map<string, AbortController>()
  readonly #done = new Set<string>()

  constructor(parts: CarryParts, tools: ServedTools, leaving: AbortSignal | undefined) {
    this.#parts = parts
    this.#tools = tools
    this.#leaving = leaving
    this.#signal = leaving === undefined ? this.#stop.signal : AbortSignal.any([leaving, this.#stop.signal])
  }

  async work(): Promise<void> {
    try {
      for (let failures = 0; ; ) {
        // A host that ends the stream without a word is about to start again.
        failures = (await this.#follow()) ? 1 : failures + 1
        await pause(this.#parts, failures, this.#signal)
      }
    } catch (fault) {
      if (this.#leaving?.aborted !== true) throw fault
    } finally {
      this.#stop.abort()
      for (const running of this.#running.values()) running.abort()
    }
  }

  /** Follows the stream until it breaks off; whether it brought something. */
  async #follow(): Promise<boolean> {
    let hasBrought = false
    try {
      for await (const event of this.#parts.tickets.executionEvents({ signal: this.#signal })) {
        hasBrought = true
        const { executionId } = event.execution
        if (event.type === 'execution.closed') this.#running.get(executionId)?.abort()
        else this.#take(event.execution)
      }
    } catch (fault) {
      this.#signal.throwIfAborted()
      if (!isHostError(fault) || !(fault.retryable || fault.code === 'INCOMPLETE_STREAM')) throw fault
    }
    return hasBrought
  }

  #take(execution: ToolExecution): void {
    const { executionId, call } = execution
    const tool = Object.hasOwn(this.#tools, call.name) ? this.#tools[call.name] : undefined
    // A new connection tells of everything that waits, and so again of what is at work here.
    if (tool === undefined || this.#running.has(executionId) || this.#done.has(executionId)) return
    const stopping = new AbortController()
    this.#running.set(executionId, stopping)
    carryOut(this.#parts, tool, execution, stopping)
      .catch((fault: unknown) => this.#refused(fault, execution))
      .finally(() => this.#settle(executionId))
  }

  #refused(fault: unknown, execution: ToolExecution): void {
    const { onFailure } = this.#parts
    if (onFailure === undefined) this.#stop.abort(fault)
    else onFailure(fault, execution)
  }

  /** A stream may still tell of an execution whose result was just taken. */
  #settle(executionId: string): void {
    this.#running.delete(executionId)
    this.#done.add(executionId)
    if (this.#done.size <= clientBounds.executionsDoneMax) return
    const [oldest] = this.#done
    if (oldest !== undefined) this.#done.delete(oldest)
  }
}
