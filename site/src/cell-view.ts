import type { Shown } from './message.ts'
import type { CellStatus, NotebookCell } from './notebook.ts'

const statusTexts: Readonly<Record<CellStatus, string>> = {
  idle: 'Not run',
  waiting: 'Waiting',
  running: 'Running',
  ran: 'Ran',
  failed: 'Failed',
  stopped: 'Stopped',
  stale: 'Out of date',
}

/** What a reader does with a cell. */
export interface CellActions {
  readonly run: (cell: CellView) => void
  readonly stop: () => void
}

/** A cell of the document. */
export class CellView implements NotebookCell {
  readonly number: number
  readonly needsKey: boolean
  readonly #code: HTMLTextAreaElement
  readonly #output: HTMLElement
  readonly #status: HTMLElement
  readonly #run: HTMLButtonElement
  readonly #stop: HTMLButtonElement

  constructor(section: HTMLElement, { run, stop }: CellActions) {
    const part = <Kind extends HTMLElement>(selector: string) => section.querySelector(selector) as Kind
    this.number = Number(section.dataset.cell)
    this.needsKey = part('.key') !== null
    this.#code = part('textarea')
    this.#output = part('.output')
    this.#status = part('.status')
    this.#run = part('[data-action=run]')
    this.#stop = part('[data-action=stop]')
    this.#run.addEventListener('click', () => run(this))
    this.#stop.addEventListener('click', stop)
    part('[data-action=restore]').addEventListener('click', () => {
      this.#code.value = this.#code.defaultValue
    })
    section.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      run(this)
    })
  }

  code(): string {
    return this.#code.value
  }

  clear(): void {
    this.#output.replaceChildren()
  }

  show({ kind, text }: Shown): void {
    const shown = document.createElement('pre')
    shown.dataset.kind = kind
    shown.textContent = text
    this.#output.append(shown)
  }

  setStatus(status: CellStatus): void {
    this.#status.textContent = statusTexts[status]
    const isRunning = status === 'running'
    if (!isRunning && document.activeElement === this.#stop) this.#run.focus()
    this.#stop.hidden = !isRunning
  }

  /** While some cell runs, no other can be run. The button stays where the keyboard is. */
  setBusy(isBusy: boolean): void {
    this.#run.setAttribute('aria-disabled', String(isBusy))
  }
}
