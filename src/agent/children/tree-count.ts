import { isToolpostError, ToolpostError } from '../../core/error.ts'
import { limits } from '../../core/limits.ts'
import type { SessionState } from '../../core/run/state.ts'
import { Journal } from '../../runtime/journal.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'

/** Where the count of a tree begins: the run that this process took up, which may be a child's. */
interface TreeTop {
  readonly parts: RuntimeParts
  readonly journal: Journal
  readonly run: string
}

/**
 * The child runs below the run at the top, whichever agents started them. One count serves all levels that a process
 * drives; after a restart it is read from the logs, when a child is to be started for the first time.
 */
export class TreeCount {
  readonly #top: TreeTop
  #reading: Promise<void> | undefined
  #count = 0

  constructor(top: TreeTop) {
    this.#top = top
  }

  /** Whether it is known that no more can be started. */
  get isFull(): boolean {
    return this.#count >= limits.treeRunsMax
  }

  /** Counts one more and gives its number, from 1. Errors: LIMIT_EXCEEDED. */
  async take(): Promise<number> {
    this.#reading ??= this.#read()
    await this.#reading
    if (this.isFull) throw treeFull()
    this.#count += 1
    return this.#count
  }

  async #read(): Promise<void> {
    const { journal, run } = this.#top
    this.#count = journal.state.parent?.number ?? 0
    for (const session of childrenOf(journal.state, run)) await this.#readSession(session)
  }

  async #readSession(session: string): Promise<void> {
    this.#count += 1
    const state = this.isFull ? undefined : await this.#stateOf(session)
    for (const below of state === undefined ? [] : childrenOf(state)) await this.#readSession(below)
  }

  async #stateOf(session: string): Promise<SessionState | undefined> {
    const { store, clock } = this.#top.parts
    try {
      return (await Journal.open(store, session, clock)).state
    } catch (error) {
      if (isToolpostError(error) && error.code === 'SESSION_NOT_FOUND') return undefined
      throw error
    }
  }
}

function childrenOf({ calls }: SessionState, run?: string): string[] {
  const counted = [...calls.values()].filter((call) => run === undefined || call.run === run)
  return counted.flatMap(({ children = [] }) => children.map(({ session }) => session))
}

/** The error of a start that the bounds of the tree refuse: it ends the run that tried. */
export function treeFull(): ToolpostError {
  return pastBound('treeRunsMax', `All runs below one run start at most ${limits.treeRunsMax} agents.`)
}

/** The same for a chain of agents. */
export function tooDeep(): ToolpostError {
  return pastBound('childDepthMax', `Agents start each other at most ${limits.childDepthMax} deep.`)
}

function pastBound(bound: string, sentence: string): ToolpostError {
  return new ToolpostError('LIMIT_EXCEEDED', sentence, { details: { bound } })
}

/** Whether an error says that a bound of the tree was passed. */
export function isPastTree(error: unknown): error is ToolpostError {
  return (
    isToolpostError(error) &&
    error.code === 'LIMIT_EXCEEDED' &&
    ['treeRunsMax', 'childDepthMax'].includes(String(error.details.bound))
  )
}
