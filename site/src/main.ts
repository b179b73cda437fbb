import { CellView } from './cell-view.ts'
import type { Endpoint, RunMessage, WorkerMessage } from './message.ts'
import { type CellRunner, Notebook } from './notebook.ts'

/** The reader's code runs in a worker: it cannot touch the page, and it can be ended when it is stuck. */
function openRunner(receive: (message: WorkerMessage) => void): CellRunner {
  const worker = new Worker(new URL('./cell-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => receive(data))
  // Errors of cells are shown and go no further: this one is that the worker's script did not load.
  worker.addEventListener('error', () => notebook.stop('The worker did not start. Reload the page.'))
  return { send: (message: RunMessage) => worker.postMessage(message), close: () => worker.terminate() }
}

function fieldText(id: string): string {
  return (document.getElementById(id) as HTMLInputElement | null)?.value.trim() ?? ''
}

/** What stands in the fields of the cell with a key. It is kept nowhere else. */
function endpoint(): Endpoint | undefined {
  const key = fieldText('key')
  if (key === '') return undefined
  return { key, baseUrl: fieldText('base-url'), model: fieldText('model') }
}

const cells: readonly CellView[] = [...document.querySelectorAll<HTMLElement>('.cell')].map(
  (section) => new CellView(section, { run: (cell) => void notebook.run(cell), stop: () => notebook.stop() }),
)
const notebook = new Notebook({
  cells,
  openRunner,
  endpoint,
  onBusy: (isBusy) => {
    for (const cell of cells) cell.setBusy(isBusy)
  },
})
