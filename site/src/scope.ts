/** The names that a cell declares, each as what reads and what writes it. */
export type Definitions = Readonly<
  Record<string, readonly [get: () => unknown, set: (value: unknown) => void]>
>

/** What a cell writes to in place of the worker's console. */
export type CellConsole = Readonly<
  Record<'log' | 'info' | 'debug' | 'warn' | 'error', (...values: unknown[]) => void>
>

/** What the cells of a page share: the names that each has declared. */
export class Scope {
  /** The names as live properties: what a cell's code runs within. */
  readonly names: object = Object.create(null) as object
  readonly #owners = new Map<string, number>()

  /** Takes the names that a cell declares; a name that an earlier one declared is now this cell's. */
  define(cell: number, definitions: Definitions): void {
    for (const [name, [get, set]] of Object.entries(definitions)) {
      this.#owners.set(name, cell)
      Object.defineProperty(this.names, name, { get, set, configurable: true, enumerable: true })
    }
  }

  /** Forgets the names of a cell and of all below it, which is what its running again voids. */
  forgetFrom(cell: number): void {
    for (const [name, owner] of this.#owners) {
      if (owner < cell) continue
      this.#owners.delete(name)
      Reflect.deleteProperty(this.names, name)
    }
  }
}
