import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Something that was done, seen from outside of the store. */
export type WitnessLine =
  /** The application's function ran for a ticket. */
  | { readonly did: 'function'; readonly ticket: string; readonly run: string; readonly call: string }
  /** The host's own tool had its effect. */
  | { readonly did: 'tool'; readonly call: string }

/** A file beside the store, a line an effect. */
export class Witness {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Adds a line in one write, and syncs it before it returns. */
  add(line: WitnessLine): void {
    const file = openSync(this.path, 'a')
    writeSync(file, `${JSON.stringify(line)}\n`)
    fsyncSync(file)
    closeSync(file)
  }

  read(): readonly WitnessLine[] {
    if (!existsSync(this.path)) return []
    const lines = readFileSync(this.path, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as WitnessLine)
  }
}
