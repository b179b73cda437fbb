import { isRunnable } from '../../core/child.ts'
import { ToolpostError } from '../../core/error.ts'
import { limits } from '../../core/limits.ts'
import type { CallState, ChildLink } from '../../core/run/state.ts'
import type { Children, TryChildren } from '../../runtime/children.ts'
import { linkedSignal } from '../../runtime/race.ts'
import { CallChildren } from './call-children.ts'
import { callIsOver, checkChildOptions, childRun, childSession, isRecorded } from './child-session.ts'
import { type Above, driveChild, stopChild } from './drive-child.ts'
import { childOfCall, rememberAgent } from './known-agents.ts'
import type { ChildEnd, ChildOrder, RunningChild, Siblings } from './running-child.ts'
import { tooDeep, treeFull } from './tree-count.ts'

interface Running extends RunningChild {
  readonly kind: ChildOrder['kind']
  /** Whether this process owns its session by now. */
  readonly isOwned: () => boolean
}

/** The agents that the calls of one run have started, while this process drives the run. */
export class ChildRuns implements Children, Siblings {
  readonly #above: () => Above
  readonly #onChange: () => void
  readonly #running = new Map<string, Running>()
  readonly #ended = new Set<string>()
  readonly #driven = new Set<string>()
  /** The sessions that went on without their calls having been entered here. */
  readonly #beside = new Set<string>()
  #refused: ToolpostError | undefined

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
    return new CallChildren(this, this.#above().task, call, signal)
  }

  hasDriven(call: string): boolean {
    return this.#driven.has(call)
  }

  start(given: ChildOrder, signals: readonly AbortSignal[]): RunningChild {
    const session = childSession(given)
    this.#check(given)
    const running = this.#running.get(session)
    if (running !== undefined) {
      if (given.kind === 'run') stopWith(running, signals)
      return running
    }
    const onDrive = () => {
      given.onDrive?.()
      if (given.isBeside !== true) this.#driven.add(given.call)
    }
    const order = { ...given, onDrive }
    const above = this.#above()
    rememberAgent(above.definition, order.agent)
    const stopped = new AbortController()
    const linked = linkedSignal([...signals, stopped.signal])
    const began = Promise.withResolvers<void>()
    const named = Promise.withResolvers<void>()
    let isOwned = false
    const onBegun = () => {
      isOwned = true
      began.resolve()
    }
    const told = { onRecorded: named.resolve, onBegun }
    const driven = driveChild(above, order, linked.signal, told).then((came) => {
      this.#note(session, came)
      return came
    })
    const end = driven.finally(() => {
      linked.release()
      this.#running.delete(session)
      this.#onChange()
    })
    const begun = Promise.race([began.promise, end.then(() => undefined)])
    const recorded = Promise.race([named.promise, end.then(() => undefined)])
    for (const promise of [begun, recorded]) promise.catch(() => undefined)
    const stop = (reason: unknown) => stopped.abort(reason)
    const facts = { session, run: childRun(session), kind: order.kind, isOwned: () => isOwned }
    const child = { ...facts, recorded, begun, end, stop }
    this.#running.set(session, child)
    return child
  }

  refuse(error: ToolpostError): void {
    this.#refused ??= error
  }

  /** Errors: DEFINITION_CHANGED of a child that is another one than it was, so that it was not taken up. */
  throwIfRefused(): void {
    if (this.#refused !== undefined) throw this.#refused
  }

  /**
   * Goes on with those that were started beside the run's calls and have not ended, as far as they are known here. A call
   * that was left by its owner finds its own again, or is given up with them.
   */
  takeUp(): void {
    for (const call of this.#callsWithChildren()) {
      const spawned = (call.children ?? []).filter(({ kind }) => kind === 'spawn')
      if (call.status !== 'started') for (const child of spawned) this.#goOn(call, child)
    }
  }

  /**
   * Goes on with the children that a resting call waits for, each once: their asks come before the handlers of this
   * process, and nothing is written unless one of them answers. Whether all of these children are known here.
   */
  bring(call: CallState): boolean {
    const { on = [] } = call.rest ?? {}
    const waitedFor = (call.children ?? []).filter(({ session }) => on.includes(session))
    return waitedFor.map((child) => this.#goOn(call, child)).every((isKnown) => isKnown)
  }

  /** Whether this process drives one that a resting call waits for. */
  drivesBelow({ rest }: CallState): boolean {
    return rest?.on.some((session) => this.#running.get(session)?.isOwned()) === true
  }

  /** Without its call; whether the child's agent is known here. */
  #goOn(call: CallState, { session, kind, agent: name }: ChildLink): boolean {
    const { definition, task } = this.#above()
    const agent = childOfCall(definition, call, name)
    if (agent === undefined) return false
    if (this.#beside.has(session)) return true
    this.#beside.add(session)
    const index = (call.children ?? []).findIndex((child) => child.session === session)
    const isBeside = kind === 'run' ? ({ isBeside: true } as const) : {}
    this.start({ call: call.id, index, agent, kind, ...isBeside }, [task.signal])
    return true
  }

  async stop(
    { children = [] }: CallState,
    reason: unknown,
    which: 'awaited' | 'bound' = 'awaited',
  ): Promise<void> {
    const kinds = which === 'bound' ? ['run', 'spawn'] : ['run']
    const stopped = children.filter(({ kind, session }) => kinds.includes(kind) && !this.#ended.has(session))
    await Promise.all(stopped.map((child) => this.#stopOne(child, reason)))
  }

  /** Ends all that ends with the run. */
  async stopAll(reason: unknown): Promise<void> {
    const all = this.#callsWithChildren().flatMap(({ children = [] }) => children)
    const bound = all.filter(({ kind }) => kind !== 'dispatch')
    await Promise.all(bound.map((child) => this.#stopOne(child, reason)))
  }

  #note(session: string, came: ChildEnd): void {
    if ('result' in came) this.#ended.add(session)
    else if (came.refused !== undefined) this.refuse(came.refused)
  }

  #bound(): Running[] {
    return [...this.#running.values()].filter(({ kind }) => kind !== 'dispatch')
  }

  #callsWithChildren(): CallState[] {
    const { journal, run } = this.#above().task
    return [...journal.state.calls.values()].filter((call) => call.run === run && call.children !== undefined)
  }

  #check(order: ChildOrder): void {
    const { agent, options, call } = order
    if (!isRunnable(agent)) refuse('What is started must be an agent or a flow.')
    const { task, tree } = this.#above()
    const { state } = task.journal
    const now = state.calls.get(call)
    if (isRecorded(now, order)) return
    checkChildOptions(options)
    if (now?.status !== 'started') throw callIsOver(call)
    if ((state.parent?.path.length ?? 0) + 1 > limits.childDepthMax) throw tooDeep()
    if (tree.isFull) throw treeFull()
  }

  async #stopOne(link: ChildLink, reason: unknown): Promise<void> {
    const running = this.#running.get(link.session)
    running?.stop(reason)
    await running?.end.catch(() => undefined)
    await stopChild(this.#above(), link, reason)
  }
}

/** A child that runs already ends with the try that finds it again, too. */
function stopWith(running: RunningChild, signals: readonly AbortSignal[]): void {
  for (const signal of signals) {
    if (signal.aborted) running.stop(signal.reason)
    else signal.addEventListener('abort', () => running.stop(signal.reason), { once: true })
  }
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
