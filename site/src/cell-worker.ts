import { importModule } from './cell-modules.ts'
import { evaluateCell } from './evaluate-cell.ts'
import { formatError } from './format-value.ts'
import type { RunMessage, Shown, WorkerMessage } from './message.ts'
import { Scope } from './scope.ts'

const scope = new Scope()
let current = 0

function tell(message: WorkerMessage): void {
  postMessage(message)
}

async function run({ cell, code, endpoint }: RunMessage): Promise<void> {
  current = cell
  const succeeded = await evaluateCell({
    cell,
    code,
    scope,
    importModule: (name) => importModule(name, endpoint),
    show: (shown) => tell({ type: 'shown', cell, shown }),
  })
  tell({ type: 'ended', cell, succeeded })
}

/** What is thrown where no cell waits for it is shown at the one that ran last. */
function showLost(thrown: unknown): void {
  const shown: Shown = { kind: 'error', text: `Nobody caught: ${formatError(thrown)}` }
  tell({ type: 'shown', cell: current, shown })
}

addEventListener('message', ({ data }: MessageEvent<RunMessage>) => void run(data))
addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  showLost(event.reason)
})
addEventListener('error', (event) => {
  event.preventDefault()
  showLost(event.error)
})
