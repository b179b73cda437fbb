import { memoryStore, type RunEvent, type RunResult, type Store } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A place that several processes share: each opens it for itself. */
export interface Place extends AsyncDisposable {
  open(): Store
}

/** Memory, which is one store for all, and a file, which each opens. */
export const places: readonly (readonly [name: string, make: () => Place])[] = [
  ['memory', memoryPlace],
  ['sqlite', filePlace],
]

function memoryPlace(): Place {
  const shared = memoryStore()
  return { open: () => shared, [Symbol.asyncDispose]: async () => {} }
}

function filePlace(): Place {
  const { path, remove } = temporaryFolder()
  const opened: Store[] = []
  const open = () => {
    const store = sqlite(`${path}/runs.db`)
    opened.push(store)
    return store
  }
  const dispose = async () => {
    for (const store of opened) await store.close()
    remove()
  }
  return { open, [Symbol.asyncDispose]: dispose }
}

/** Drives a run to its end or its rest, and gives the result. */
export async function finish(stream: AsyncGenerator<RunEvent, RunResult, undefined>): Promise<RunResult> {
  let next = await stream.next()
  while (next.done !== true) next = await stream.next()
  return next.value
}

let processes = 0

/** The parts of a process that others may follow at once: as if it had certainly ended. */
export function mortal() {
  processes += 1
  return { owner: { name: `process-${processes}`, hasEnded: () => true } }
}
