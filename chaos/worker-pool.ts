import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { WorkerProcess } from './worker-process.ts'

/** Workers that wait for orders: the next one is started while the one before it is at work. */
export class WorkerPool {
  readonly #root: string
  readonly #idleLeast: number
  readonly #idle: WorkerProcess[] = []
  readonly #all = new Set<WorkerProcess>()
  #started = 0
  #isClosed = false

  constructor(root: string, idleLeast: number) {
    this.#root = root
    this.#idleLeast = idleLeast
    mkdirSync(join(root, 'places'), { recursive: true })
  }

  /** How many processes were started. */
  get started(): number {
    return this.#started
  }

  /** Starts one alone, so that those after it find everything compiled. */
  async open(): Promise<void> {
    const first = this.#start()
    await first.ready
    this.#idle.push(first)
    this.#fill()
  }

  take(): WorkerProcess {
    const worker = this.#idle.shift() ?? this.#start()
    this.#fill()
    return worker
  }

  /** Takes back a worker that has nothing to do, or that is gone. */
  give(worker: WorkerProcess): void {
    if (worker.isGone || this.#isClosed) return
    // Those that have worked are warm: they go first.
    this.#idle.unshift(worker)
  }

  /** Ends every process and waits until it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#all]
    for (const worker of all) worker.kill()
    await Promise.all(all.map(({ gone }) => gone))
  }

  #fill(): void {
    while (this.#idle.length < this.#idleLeast && !this.#isClosed) this.#idle.push(this.#start())
  }

  #start(): WorkerProcess {
    if (this.#isClosed) throw new Error('The pool of workers was closed.')
    this.#started += 1
    const place = join(this.#root, 'places', String(this.#started))
    const worker = new WorkerProcess(place, join(this.#root, 'compiled'))
    this.#all.add(worker)
    worker.gone.then(() => {
      this.#all.delete(worker)
      const at = this.#idle.indexOf(worker)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return worker
  }
}
