import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** An effect that took place: the line is the effect. */
export interface EffectLine {
  readonly call: string
  /** Which claim of the call it was made under. */
  readonly claim: number
  readonly key: string
  readonly tool: string
  readonly args: unknown
  readonly session: string
  /** What a person had answered the tool. */
  readonly input?: unknown
}

/** How an answer came out, written by who gave it, after `decide` had come back. */
export interface AnswerLine {
  readonly ticket: string
  readonly by: string
  readonly approved: boolean
  readonly editedArgs?: unknown
  /** What was answered to a question. */
  readonly value?: unknown
  /** `acknowledged`, or the code of the refusal. */
  readonly came: string
  /** Who was first, as the refusal says. */
  readonly firstBy?: string
}

/** What was told, or written, before the process died: an event, an ask, the end of a run, what became of a call. */
export type ToldLine =
  | { readonly told: 'event'; readonly session: string; readonly sequence: number; readonly type: string }
  | { readonly told: 'ask'; readonly session: string; readonly ticket: string }
  | { readonly told: 'end'; readonly session: string; readonly run: string; readonly status: string }
  /** The drive of this epoch wrote that a call had lost its process. */
  | { readonly told: 'given up'; readonly session: string; readonly call: string; readonly epoch: number }
  | { readonly told: 'found'; readonly session: string; readonly call: string; readonly found: string }

/** A process that killed itself, with the call that it was in when it was in one. */
export interface KillLine {
  readonly kind: string
  readonly what: string
  readonly call?: string
  readonly claim?: number
}

interface Lines {
  readonly effects: EffectLine
  readonly answers: AnswerLine
  readonly told: ToldLine
  readonly kills: KillLine
}

/** Files beside the store, a line a fact: what the world outside has seen of a round. */
export class Evidence {
  readonly #folder: string
  readonly #open = new Map<string, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Adds a line in one write, which a kill cannot divide from what it says, and syncs it unless told otherwise. */
  add<Name extends keyof Lines>(name: Name, line: Lines[Name], isSynced = true): void {
    const file = this.#fileOf(name)
    writeSync(file, `\n${JSON.stringify(line)}\n`)
    if (isSynced) fsyncSync(file)
  }

  read<Name extends keyof Lines>(name: Name): readonly Lines[Name][] {
    const path = join(this.#folder, name)
    if (!existsSync(path)) return []
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Lines[Name])
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file)
    this.#open.clear()
  }

  #fileOf(name: string): number {
    const known = this.#open.get(name)
    if (known !== undefined) return known
    const file = openSync(join(this.#folder, name), 'a')
    this.#open.set(name, file)
    return file
  }
}
