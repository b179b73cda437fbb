import { isRunnable } from '../../core/child.ts'
import { ToolpostError } from '../../core/error.ts'
import { limits } from '../../core/limits.ts'
import type { CallState, ChildLink } from '../../core/run/state.ts'
import type { Children, TryChildren } from '../../runtime/children.ts'
import { linkedSignal } from '../../runtime/race.ts'
import { CallChildren } from './call-children.ts'
import { childRun, childSession } from './child-session.ts'
import { type Above, driveChild, stopChild } from './drive-child.ts'
import { childNamed, rememberAgent } from './known-agents.ts'
import type { ChildOrder, RunningChild } from './running-child.ts'

interface Running extends RunningChild {
  readonly kind: ChildOrder['kind']
}

/** The agents that the calls of one run have started, while this process drives the run. */
export class ChildRuns implements Children {
  readonly #above: () => Above
  readonly #onChange: () => void
  readonly #running = new Map<string, Running>()
  #count: number | undefined

  /** `onChange` is called whenever a child has settled. */
  constructor(above: () => Above, onChange: () => void) {
    this.#above = above
    this.#onChange = onChange
  }

  /** Whether one runs that ends with the run. */
  get isBusy(): boolean {
    return this.#bound().length > 0
  }

  /** Resolves when none runs any more that ends with the run. */
  async settled(): Promise<void> {
    for (let bound = this.#bound(); bound.length > 0; bound = this.#bound())
      await Promise.allSettled(bound.map(({ end }) => end))
  }

  forTry(call: string, signal: AbortSignal): TryChildren {
    return new CallChildren((order, signals) => this.start(order, signals), this.#above().task, call, signal)
  }

  /** Starts a child or finds it again. Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED. */
  start(order: ChildOrder, signals: readonly AbortSignal[]): RunningChild {
    const session = childSession(order)
    const running = this.#running.get(session)
    if (running !== undefined) return running
    this.#check(order)
    const above = this.#above()
    rememberAgent(above.definition, order.agent)
    const stopped = new AbortController()
    const linked = linkedSignal([...signals, stopped.signal])
    const began = Promise.withResolvers<void>()
    const end = driveChild(above, order, linked.signal, began.resolve).finally(() => {
      linked.release()
      this.#running.delete(session)
      this.#onChange()
    })
    const begun = Promise.race([began.promise, end.then(() => undefined)])
    for (const promise of [end, begun]) promise.catch(() => undefined)
    const stop = (reason: unknown) => stopped.abort(reason)
    const child = { session, run: childRun(session), kind: order.kind, begun, end, stop }
    this.#running.set(session, child)
    return child
  }

  /** Goes on with those that were started beside the run's calls and have not ended, as far as they are known here. */
  takeUp(): void {
    const { definition, task } = this.#above()
    for (const { id: call, children = [] } of this.#callsWithChildren()) {
      for (const [index, { kind, agent: name }] of children.entries()) {
        const agent = kind === 'spawn' ? childNamed(definition, name) : undefined
        if (agent !== undefined) this.start({ call, index, agent, kind }, [task.signal])
      }
    }
  }

  async stop({ children = [] }: CallState, reason: unknown): Promise<void> {
    const awaited = children.filter(({ kind }) => kind === 'run')
    await Promise.all(awaited.map((child) => this.#stopOne(child, reason)))
  }

  /** Ends all that ends with the run. */
  async stopAll(reason: unknown): Promise<void> {
    const all = this.#callsWithChildren().flatMap(({ children = [] }) => children)
    const bound = all.filter(({ kind }) => kind !== 'dispatch')
    await Promise.all(bound.map((child) => this.#stopOne(child, reason)))
  }

  #bound(): Running[] {
    return [...this.#running.values()].filter(({ kind }) => kind !== 'dispatch')
  }

  #callsWithChildren(): CallState[] {
    const { journal, run } = this.#above().task
    return [...journal.state.calls.values()].filter((call) => call.run === run && call.children !== undefined)
  }

  #check({ agent, options, call, index }: ChildOrder): void {
    if (!isRunnable(agent)) refuse('INVALID_ARGUMENT', 'What is started must be an agent or a flow.')
    const { state } = this.#above().task.journal
    if (state.calls.get(call)?.children?.[index] !== undefined) return
    if (typeof options?.input !== 'string')
      refuse('INVALID_ARGUMENT', 'A child run needs { input }, the text that it is told.')
    if ((state.parent?.path.length ?? 0) + 1 > limits.childDepthMax)
      refuse('LIMIT_EXCEEDED', `Agents start each other at most ${limits.childDepthMax} deep.`)
    this.#count ??= this.#callsWithChildren().reduce((sum, { children = [] }) => sum + children.length, 0)
    this.#count += 1
    if (this.#count > limits.runChildrenMax)
      refuse('LIMIT_EXCEEDED', `The calls of one run start at most ${limits.runChildrenMax} agents.`)
  }

  async #stopOne(link: ChildLink, reason: unknown): Promise<void> {
    const running = this.#running.get(link.session)
    running?.stop(reason)
    await running?.end.catch(() => undefined)
    await stopChild(this.#above(), link, reason)
  }
}

function refuse(code: 'INVALID_ARGUMENT' | 'LIMIT_EXCEEDED', sentence: string): never {
  throw new ToolpostError(code, sentence)
}
