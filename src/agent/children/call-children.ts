import {
  type ChildOptions,
  type ChildResult,
  filesOfRun,
  type Runnable,
  type SpawnedChild,
} from '../../core/child.ts'
import { isToolpostError, type ToolpostError } from '../../core/error.ts'
import type { Execution } from '../../core/executor.ts'
import type { RunInput } from '../../core/input-part.ts'
import type { ParentLink } from '../../core/parent-link.ts'
import {
  childrenChangedCode,
  type TryChildren,
  treeLimitCode,
  unseenBelowCode,
} from '../../runtime/children.ts'
import type { Task } from '../../runtime/task.ts'
import { toldTo } from './child-input.ts'
import { callIsOver } from './child-session.ts'
import type { ChildEnd, RunningChild, Siblings } from './running-child.ts'
import { isPastTree } from './tree-count.ts'

/** Unwinds a function whose child rests. It may be caught: the call rests all the same. */
class ChildRests extends Error {
  constructor(session: string) {
    super(
      `The child run ${session} waits, and this call with it; it is entered again when the child can go on.`,
    )
    this.name = 'ChildRests'
  }
}

/** The children that one try of a call starts, numbered in their order. */
export class CallChildren implements TryChildren {
  readonly #siblings: Siblings
  readonly #task: Task
  readonly #call: string
  readonly #signal: AbortSignal
  readonly #started = new Set<RunningChild>()
  readonly #awaited = new Set<RunningChild>()
  #next = 0
  #isOver = false
  /** Why the call cannot go on as what it is now. */
  #changed: ToolpostError | undefined
  /** The bound of the tree that was met, here or below. */
  #limit: string | undefined

  constructor(siblings: Siblings, task: Task, call: string, signal: AbortSignal) {
    this.#siblings = siblings
    this.#task = task
    this.#call = call
    this.#signal = signal
  }

  async run(agent: Runnable, options: ChildOptions): Promise<ChildResult> {
    return await this.#wait(this.#start(agent, options, 'run', [this.#signal]))
  }

  /** It is stopped with the run, not with the call. */
  spawn(agent: Runnable, options: ChildOptions): SpawnedChild {
    const child = this.#start(agent, options, 'spawn', [this.#task.signal])
    const { session, run, stop } = child
    return {
      session,
      run,
      wait: () => this.#wait(child),
      abort: (reason = new Error('It was aborted.')) => stop(reason),
    }
  }

  async dispatch(agent: Runnable, options: ChildOptions): Promise<{ session: string; run: string }> {
    const { session, run, begun } = this.#start(agent, options, 'dispatch', [])
    await begun
    return { session, run }
  }

  async handOver(agent: Runnable, input: RunInput | undefined): Promise<ChildResult> {
    if (input !== undefined) return await this.run(agent, { input })
    return await this.run(agent, { input: toldTo(this.#task)?.text ?? '', [filesOfRun]: 'any_step' })
  }

  async settled(ended: Execution): Promise<Execution> {
    this.#isOver = true
    const on: string[] = []
    let isUnstarted = false
    let unseen: string | undefined
    for (const child of this.#started) {
      const refusal = await child.recorded.catch((error: unknown) => error)
      if (this.#awaited.has(child)) {
        const end = await child.end.catch(() => undefined)
        if (end !== undefined && 'rests' in end) on.push(child.session)
        else if (end?.result.status === 'uncertain') unseen ??= child.session
      } else if (isPastTree(refusal)) isUnstarted = true
    }
    if (this.#changed !== undefined) return await this.#endChanged(this.#changed)
    if (on.length > 0) return { status: 'resting', on }
    if (unseen !== undefined && this.#hasRuleForUnseen()) return unseenBelow(unseen)
    if (this.#limit === undefined || !(isUnstarted || ended.status === 'failed')) return ended
    return { status: 'failed', code: treeLimitCode, message: this.#limit }
  }

  /**
   * The call rests on the child that is another one now, and the drive ends with the error, so that the tool as it was
   * can go on. What has gone on cannot be taken back: then the call ends with all that it has started.
   */
  async #endChanged(changed: ToolpostError): Promise<Execution> {
    const call = this.#task.journal.state.calls.get(this.#call)
    if (call === undefined || !this.#siblings.hasDriven(this.#call)) {
      this.#siblings.refuse(changed)
      return { status: 'resting', on: [String(changed.details.session)] }
    }
    await this.#siblings.stop(call, changed, 'bound')
    return { status: 'failed', code: childrenChangedCode, message: changed.message, cause: changed }
  }

  #start(
    agent: Runnable,
    options: ChildOptions,
    kind: ParentLink['kind'],
    signals: readonly AbortSignal[],
  ): RunningChild {
    if (this.#isOver) throw callIsOver(this.#call)
    this.#throwIfChanged()
    const order = { call: this.#call, index: this.#next, agent, options, kind }
    try {
      const child = this.#siblings.start({ ...order, onDrive: () => this.#throwIfChanged() }, signals)
      this.#next += 1
      this.#started.add(child)
      if (kind === 'run') this.#awaited.add(child)
      child.end.then(
        (end) => this.#noteEnd(end),
        (error) => this.#noteError(error),
      )
      return child
    } catch (error) {
      this.#noteError(error)
      throw error
    }
  }

  #throwIfChanged(): void {
    if (this.#changed !== undefined) throw this.#changed
  }

  #noteError(error: unknown): void {
    if (isToolpostError(error) && error.code === 'DEFINITION_CHANGED') this.#changed ??= error
    if (isPastTree(error)) this.#limit ??= error.message
  }

  #noteEnd(end: ChildEnd): void {
    if (!('result' in end)) return
    const { status, code, text } = end.result
    if (status === 'failed' && code === 'LIMIT_EXCEEDED') this.#limit ??= text
  }

  #wait(child: RunningChild): Promise<ChildResult> {
    this.#awaited.add(child)
    const waiting = child.end.then((end) => {
      if ('result' in end) return end.result
      throw new ChildRests(child.session)
    })
    // A function may leave it unawaited.
    waiting.catch(() => undefined)
    return waiting
  }

  #hasRuleForUnseen(): boolean {
    const { journal, run } = this.#task
    return journal.state.runs.get(run)?.onUncertain !== undefined
  }
}

/** What the run that a call waited for left unknown is unknown for the call, whatever its function made of that. */
function unseenBelow(session: string): Execution {
  const message = `Nobody saw the outcome of a call of the child run in the session ${session}; find out, and reconcile both that call and this one.`
  return { status: 'failed', code: unseenBelowCode, message }
}
