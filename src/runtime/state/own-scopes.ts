import { ToolpostError } from '../../core/error.ts'
import { messageOf } from '../../core/message-of.ts'
import type { RuntimeParts } from '../parts.ts'
import { SharedValues } from './shared-values.ts'

/** The session whose id in a scope is asked for. */
export interface ScopeSession {
  readonly id: string
  readonly subject: string
  readonly agent: string
}

/** The application's own scopes: for each, whose values a session shares. */
export type ScopeFunctions = {
  readonly [name: string]: (session: ScopeSession) => string | Promise<string>
}

/** The names that own scopes cannot have, nor keys of the state. */
export const takenNames: readonly string[] = ['session', 'run', 'temp', 'values', 'get', 'update', 'scope']

const idLengthMax = 256

/** The application's own scopes of one session. */
export class OwnScopes {
  /** No key of the state may be called like one of these. */
  readonly reserved: ReadonlySet<string>
  readonly #scopes: ReadonlyMap<string, SharedValues>

  constructor(scopes: ReadonlyMap<string, SharedValues>) {
    this.#scopes = scopes
    this.reserved = new Set([...takenNames, ...scopes.keys()])
  }

  /** Asks whose values each scope holds, and reads them. Errors: INVALID_ARGUMENT, when a function throws too. */
  static async open(
    parts: Pick<RuntimeParts, 'store' | 'clock'>,
    functions: ScopeFunctions,
    session: ScopeSession,
  ): Promise<OwnScopes> {
    const scopes = new Map<string, SharedValues>()
    for (const [name, idOf] of Object.entries(functions)) {
      const id = checkedId(name, await askedId(name, () => idOf(session)))
      scopes.set(name, new SharedValues(parts, name, id))
    }
    const opened = new OwnScopes(scopes)
    await opened.refresh()
    return opened
  }

  /** The same without a session: there is nothing in any of them. */
  static unread(parts: Pick<RuntimeParts, 'store' | 'clock'>, functions: ScopeFunctions): OwnScopes {
    const names = Object.keys(functions)
    return new OwnScopes(new Map(names.map((name) => [name, new SharedValues(parts, name, '')])))
  }

  get names(): readonly string[] {
    return [...this.#scopes.keys()]
  }

  find(name: string): SharedValues | undefined {
    return this.#scopes.get(name)
  }

  /** Takes in what other sessions have written. */
  async refresh(): Promise<void> {
    if (this.#scopes.size === 0) return
    await Promise.all([...this.#scopes.values()].map((scope) => scope.refresh()))
  }
}

async function askedId(name: string, ask: () => unknown): Promise<unknown> {
  try {
    return await ask()
  } catch (cause) {
    const why = messageOf(cause, 500)
    throw new ToolpostError('INVALID_ARGUMENT', `The function of the scope "${name}" failed: ${why}`, {
      cause,
    })
  }
}

function checkedId(name: string, id: unknown): string {
  if (typeof id === 'string' && id !== '' && id.length <= idLengthMax) return id
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The function of the scope "${name}" must give an id: a text of 1 to ${idLengthMax} characters.`,
  )
}

/** Of an agent that has none. */
export const noScopes = new OwnScopes(new Map())
