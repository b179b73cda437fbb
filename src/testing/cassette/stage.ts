import type { Definition } from '../../agent/definition.ts'
import { outputOfRun } from '../../agent/output-option.ts'
import type { Catalog } from '../../core/catalog.ts'
import type { Clock } from '../../core/clock.ts'
import type { Event } from '../../core/event.ts'
import type { ExecutableCall, Executor } from '../../core/executor.ts'
import type { IdKind, IdSource } from '../../core/id.ts'
import type { ParentLink } from '../../core/parent-link.ts'
import type { Bounds } from '../../core/policy/bounds.ts'
import type { RunState } from '../../core/run/state.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { ResultBudget } from '../../runtime/budget.ts'
import type { CallHooks } from '../../runtime/call-hooks.ts'
import { Journal } from '../../runtime/journal.ts'
import { type Ownership, ownSession } from '../../runtime/ownership.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { OwnScopes } from '../../runtime/state/own-scopes.ts'
import type { Task } from '../../runtime/task.ts'
import { memoryStore } from '../../stores/memory/memory-store.ts'
import { countedIds } from '../counted-ids.ts'
import type { Cassette } from './cassette.ts'
import { recordedHooks } from './recorded-hooks.ts'

/** Ids that are said beforehand, so that sentences which name them are the recorded ones; else counted. */
class KnownIds implements IdSource {
  readonly #known = new Map<IdKind, string[]>()
  readonly #counted = countedIds()

  know(kind: IdKind, ids: readonly string[]): void {
    this.#known.set(kind, [...ids])
  }

  next(kind: IdKind): string {
    return this.#known.get(kind)?.shift() ?? this.#counted.next(kind)
  }
}

/** Where the stage of a child hangs, and what the agents above allow. */
export interface AboveStage {
  readonly link: ParentLink
  readonly bounds: () => Bounds
}

/** Where a cassette is played: a new store, a time that stands at the recording, and tools that never execute. */
export class Stage {
  /** The agent with its tools' executors taken out. */
  readonly definition: Definition
  readonly journal: Journal
  readonly ids = new KnownIds()
  readonly #entered = new Map<string, () => void>()
  #now: number
  readonly #above: AboveStage | undefined
  readonly #hooks: CallHooks
  #ownership: Ownership | undefined

  constructor(definition: Definition, cassette: Cassette, above?: AboveStage) {
    this.#above = above
    this.#now = cassette.runs[0]?.at ?? definition.parts.clock.now()
    const { timer, sleep } = definition.parts.clock
    const clock: Clock = { now: () => this.#now, timer, sleep }
    const owner = { name: 'replay', hasEnded: () => false }
    const parts: RuntimeParts = { ...definition.parts, store: memoryStore(), clock, ids: this.ids, owner }
    const catalog = withoutEffects(definition.catalog, (call) => this.#entered.get(call.id)?.())
    // A recorded answer is what the hooks around the model have made of it.
    this.definition = { ...definition, parts, catalog, hooks: [] }
    this.#hooks = recordedHooks(cassette)
    this.journal = new Journal(parts.store, cassette.session, clock)
  }

  async open({ session, subject, mode }: Cassette): Promise<void> {
    const { name: agent, parts } = this.definition
    const above = this.#above === undefined ? {} : { parent: this.#above.link }
    const given = { ...(mode === undefined ? {} : { mode }), ...above }
    await this.journal.write(() => [{ type: 'session.started', session, subject, agent, ...given }])
    this.#ownership = await ownSession(parts, this.journal.stream)
  }

  async close(): Promise<void> {
    await this.journal.stored()
    await this.#ownership?.release()
  }

  /** Moves the time to where a run began. */
  standAt(now: number): void {
    this.#now = now
  }

  /** Resolves when the call's executor was entered: it is claimed then. */
  entered(call: string): Promise<void> {
    return new Promise((resolve) => this.#entered.set(call, resolve))
  }

  /** Writes under the lease. */
  async write(events: readonly Event[]): Promise<void> {
    await this.journal.write(() => events, this.#ownership?.lease)
  }

  taskOf(run: string): Task {
    const { definition, journal } = this
    const mode = (journal.state.runs.get(run) as RunState).mode
    return {
      ...(mode === undefined ? {} : { mode }),
      parts: definition.parts,
      journal,
      lease: (this.#ownership as Ownership).lease,
      run,
      agent: definition.name,
      catalog: definition.catalog,
      layers: () => definition.layers,
      ...(this.#above === undefined ? {} : { bounds: this.#above.bounds }),
      ...outputOfRun(definition, journal.state.runs.get(run)),
      budget: new ResultBudget(definition.results, 0),
      scopes: OwnScopes.unread(definition.parts, definition.state.scopes),
      signal: new AbortController().signal,
      hooks: this.#hooks,
      onProgress: () => undefined,
    }
  }
}

/** The same catalog; its tools' executors say that they were entered, and never do anything. */
function withoutEffects(catalog: Catalog, onEntered: (call: ExecutableCall) => void): Catalog {
  const executor: Executor = {
    execute: (call) => {
      onEntered(call)
      // The recorded outcome is written in its place.
      return new Promise<never>(() => undefined)
    },
  }
  return Object.freeze({
    ...catalog,
    find: (name: string) => {
      const tool = catalog.find(name)
      return tool === undefined ? undefined : stilled(tool, executor)
    },
  })
}

/** The recorded result passed its output schema, or did not, when it was made. */
function stilled(tool: Tool, executor: Executor): Tool {
  const { outputSchema: _outputSchema, timeoutMs: _timeoutMs, retry: _retry, ...rest } = tool
  return Object.freeze({ ...rest, executor })
}
