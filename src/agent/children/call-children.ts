import type { ChildOptions, ChildResult, Runnable, SpawnedChild } from '../../core/child.ts'
import type { ParentLink } from '../../core/event.ts'
import type { TryChildren } from '../../runtime/children.ts'
import type { Task } from '../../runtime/task.ts'
import type { RunningChild, StartChild } from './running-child.ts'

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
  readonly #startChild: StartChild
  readonly #task: Task
  readonly #call: string
  readonly #signal: AbortSignal
  readonly #awaited = new Set<RunningChild>()
  #next = 0

  constructor(startChild: StartChild, task: Task, call: string, signal: AbortSignal) {
    this.#startChild = startChild
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

  async handOver(agent: Runnable, input: string | undefined): Promise<ChildResult> {
    return await this.run(agent, { input: input ?? this.#told() })
  }

  async settled(): Promise<readonly string[]> {
    const on: string[] = []
    for (const child of this.#awaited) {
      const end = await child.end.catch(() => undefined)
      if (end !== undefined && 'rests' in end) on.push(child.session)
    }
    return on
  }

  #start(
    agent: Runnable,
    options: ChildOptions,
    kind: ParentLink['kind'],
    signals: readonly AbortSignal[],
  ): RunningChild {
    const index = this.#next
    const child = this.#startChild({ call: this.#call, index, agent, options, kind }, signals)
    this.#next += 1
    if (kind === 'run') this.#awaited.add(child)
    return child
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

  /** What the run was told. */
  #told(): string {
    const { journal, run } = this.#task
    const first = journal.state.history.find((entry) => entry.role === 'user' && entry.run === run)
    return first?.role === 'user' ? first.text : ''
  }
}
