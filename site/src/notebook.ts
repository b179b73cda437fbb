import type { Endpoint, RunMessage, Shown, WorkerMessage } from './message.ts'

/** How a cell stands. `stale`: it has run, and then a cell above it ran again, or a stop took its names away. */
export type CellStatus = 'idle' | 'waiting' | 'running' | 'ran' | 'failed' | 'stopped' | 'stale'

/** A cell as the notebook sees it. */
export interface NotebookCell {
  readonly number: number
  readonly needsKey: boolean
  code(): string
  clear(): void
  show(shown: Shown): void
  setStatus(status: CellStatus): void
}

/** Where cells run: a worker, which keeps the names that they have declared until it is closed. */
export interface CellRunner {
  send(message: RunMessage): void
  close(): void
}

/** What a notebook is made of. */
export interface NotebookParts {
  readonly cells: readonly NotebookCell[]
  readonly openRunner: (receive: (message: WorkerMessage) => void) => CellRunner
  /** The reader's endpoint; undefined as long as there is no key. */
  readonly endpoint: () => Endpoint | undefined
  readonly onBusy: (isBusy: boolean) => void
}

/** What a cell says that needs a key and has none. */
export const noKey = 'There is no key, so nothing was run. Give yours above, or run a server of your own.'

/**
 * The cells of a page, run in their order in one runner. What was declared is always what the cells above a cell,
 * as they stand, have declared: a cell that ran before a change above it runs again before one below it does.
 */
export class Notebook {
  readonly #parts: NotebookParts
  /** The code that each cell last ran to its end with, as long as that still counts. */
  readonly #ran = new Map<NotebookCell, string>()
  #runner: CellRunner | undefined
  #running: { readonly cell: NotebookCell; readonly end: (succeeded: boolean) => void } | undefined
  #isBusy = false

  constructor(parts: NotebookParts) {
    this.#parts = parts
  }

  /** Runs a cell, and before it those above it that have not run as they stand. Does nothing while one runs. */
  async run(target: NotebookCell): Promise<void> {
    if (this.#isBusy) return
    if (target.needsKey && this.#parts.endpoint() === undefined) {
      target.clear()
      target.show({ kind: 'note', text: noKey })
      return
    }
    this.#setBusy(true)
    const due = this.#due(target)
    this.#forgetFrom(due[0] as NotebookCell)
    for (const cell of due) cell.setStatus('waiting')
    try {
      for (const [index, cell] of due.entries()) {
        if (await this.#runOne(cell)) continue
        this.#leave(due.slice(index + 1), cell)
        return
      }
    } finally {
      this.#setBusy(false)
    }
  }

  /** Ends what runs, whatever it does, and with it all that the cells have declared. The text says why. */
  stop(text = 'Stopped. The names of all cells are gone; they run again when needed.'): void {
    const running = this.#running
    if (running === undefined) return
    this.#close()
    running.cell.setStatus('stopped')
    running.cell.show({ kind: 'note', text })
    running.end(false)
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy
    this.#parts.onBusy(isBusy)
  }

  /** A cell with those above it that have to run first. One that asks a model runs only when the reader says so. */
  #due(target: NotebookCell): readonly NotebookCell[] {
    const { cells } = this.#parts
    const above = cells.slice(0, cells.indexOf(target)).filter(({ needsKey }) => !needsKey)
    const first = above.findIndex((cell) => this.#ran.get(cell) !== cell.code())
    return first < 0 ? [target] : [...above.slice(first), target]
  }

  async #runOne(cell: NotebookCell): Promise<boolean> {
    cell.clear()
    cell.setStatus('running')
    const code = cell.code()
    const ended = new Promise<boolean>((end) => {
      this.#running = { cell, end }
    })
    const endpoint = cell.needsKey ? this.#parts.endpoint() : undefined
    this.#runner ??= this.#openRunner()
    this.#runner.send({ cell: cell.number, code, ...(endpoint === undefined ? {} : { endpoint }) })
    const succeeded = await ended
    this.#running = undefined
    if (succeeded) this.#ran.set(cell, code)
    return succeeded
  }

  /** What a cell has declared, and what the cells below have made of it, no longer counts. */
  #forgetFrom(cell: NotebookCell): void {
    const { cells } = this.#parts
    for (const each of cells.slice(cells.indexOf(cell))) {
      if (this.#ran.delete(each)) each.setStatus('stale')
    }
  }

  /** A runner that is heard as long as it is not closed: what it sent before may come after. */
  #openRunner(): CellRunner {
    const runner = this.#parts.openRunner((message) => {
      if (this.#runner === runner) this.#receive(message)
    })
    return runner
  }

  #receive(message: WorkerMessage): void {
    const cell = this.#parts.cells.find(({ number }) => number === message.cell)
    if (message.type === 'shown') {
      cell?.show(message.shown)
      return
    }
    cell?.setStatus(message.succeeded ? 'ran' : 'failed')
    if (this.#running?.cell === cell) this.#running?.end(message.succeeded)
  }

  /** Cells that were to run behind one that failed, or was stopped: the last of them, which was asked for, says why. */
  #leave(left: readonly NotebookCell[], failed: NotebookCell): void {
    for (const cell of left) cell.setStatus('idle')
    const target = left.at(-1)
    target?.clear()
    target?.show({
      kind: 'note',
      text: `Not run: cell ${failed.number}, which comes before it, did not end well.`,
    })
  }

  #close(): void {
    this.#runner?.close()
    this.#runner = undefined
    for (const cell of this.#ran.keys()) cell.setStatus('stale')
    this.#ran.clear()
  }
}
