import { ToolpostError } from '../../core/error.ts'
import { named } from '../../core/json/named.ts'
import type { StateScope, ToolState } from '../../core/tool/tool-state.ts'
import type { Journal } from '../journal.ts'
import { noScopes, type OwnScopes } from './own-scopes.ts'
import { scopeProxy } from './scope-proxy.ts'
import { ScopeWriter } from './scope-writer.ts'
import { runTarget, type StateTarget, sessionTarget, temporaryTarget } from './state-target.ts'

/** What the state of a call follows from. */
interface WhoseState {
  readonly journal: Journal
  readonly run: string
  readonly scopes?: OwnScopes
}

interface Opened {
  readonly writer: ScopeWriter
  readonly shown: StateScope
}

/** The state as one function of a call has it: to read, and to write while its try goes on. */
export class StateOfCall {
  readonly #task: WhoseState
  readonly #call: string
  readonly #own: OwnScopes
  readonly #opened = new Map<string, Opened>()
  #refusal: string | undefined

  /** `mayWrite` false: for what runs before anybody was asked, or only looks. */
  constructor(task: WhoseState, call: string, mayWrite: boolean) {
    this.#task = task
    this.#call = call
    this.#own = task.scopes ?? noScopes
    if (!mayWrite) this.#refusal = 'Here the state can only be read; write it in execute or finalize.'
  }

  /** Made when it is asked for: most calls never do. */
  get shown(): ToolState {
    return this.#open('session').shown as ToolState
  }

  /** Waits for everything that is under way; gives the first failure. Nothing can be written afterwards. */
  async settled(): Promise<{ readonly error: unknown } | undefined> {
    this.#refusal ??= 'The function of the tool has returned; from then on the state can only be read.'
    if (this.#opened.size === 0) return undefined
    const failures = await Promise.all([...this.#opened.values()].map(({ writer }) => writer.settled()))
    return failures.find((failure) => failure !== undefined)
  }

  #open(name: string): Opened {
    const known = this.#opened.get(name)
    if (known !== undefined) return known
    const writer = new ScopeWriter(this.#targetOf(name), this.#own.reserved)
    const update = (given: unknown) => {
      if (this.#refusal === undefined) return writer.update(given)
      throw new ToolpostError('INVALID_ARGUMENT', this.#refusal)
    }
    const access = {
      get values() {
        return writer.values
      },
      update,
    }
    const opened = { writer, shown: scopeProxy(access, name === 'session' ? this.#scopeMembers() : {}) }
    this.#opened.set(name, opened)
    return opened
  }

  /** The scopes by their names, each opened when it is asked for. */
  #scopeMembers(): object {
    const members = { scope: (name: string) => this.#open(name).shown }
    for (const name of ['session', 'run', 'temp', ...this.#own.names])
      Object.defineProperty(members, name, { get: () => this.#open(name).shown })
    return members
  }

  #targetOf(name: string): StateTarget {
    const { journal, run } = this.#task
    const by = { run, call: this.#call }
    if (name === 'session') return sessionTarget(journal, by)
    if (name === 'run') return runTarget(journal, run, by)
    if (name === 'temp') return temporaryTarget(journal, run)
    const shared = this.#own.find(name)
    if (shared !== undefined) return shared.target(journal.state.id, by)
    const names = ['session', 'run', 'temp', ...this.#own.names].join(', ')
    throw new ToolpostError('INVALID_ARGUMENT', `There is no scope ${named(name)}; the scopes are ${names}.`)
  }
}
