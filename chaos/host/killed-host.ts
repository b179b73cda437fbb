import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HostOrder, HostOrders, HostReport, HostSetup } from './host-orders.ts'

const program = fileURLToPath(new URL('./host-process.ts', import.meta.url))

/** Where a host keeps what outlives it. */
export interface HostPlace {
  readonly store: string
  readonly witness: string
  /** Compiled sources, so that the next one starts faster. */
  readonly compiled: string
}

/** A host that is killed and started again: one place, one process after the other. */
export class KilledHost {
  readonly #place: HostPlace
  readonly #setup: HostSetup
  readonly #reports: { readonly is: HostReport['is']; readonly tell: (report: HostReport) => void }[] = []
  #child: ChildProcess | undefined
  #gone: Promise<void> = Promise.resolve()
  #error = ''
  #now = Date.UTC(2026, 0, 1)
  #port = 0
  #isDying = false
  /** How often the tool of the host said that it is running. */
  toolRuns = 0
  kills = 0

  constructor(place: HostPlace, setup: HostSetup) {
    this.#place = place
    this.#setup = setup
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Starts a process, on the port of the one before or on another one, and waits until it answers. */
  async start(isSamePort = false): Promise<void> {
    const { store, witness, compiled } = this.#place
    const port = isSamePort ? this.#port : 0
    const orders: HostOrders = { store, witness, port, now: this.#now, setup: this.#setup }
    const child = fork(program, [JSON.stringify(orders)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      execArgv: [],
    })
    this.#child = child
    this.#isDying = false
    this.toolRuns = 0
    child.stderr?.on('data', (data) => {
      this.#error += data
    })
    const gone = Promise.withResolvers<void>()
    this.#gone = gone.promise
    child.on('close', () => gone.resolve())
    child.on('message', (report: HostReport) => this.#take(report))
    const ready = await this.#next('ready')
    if (ready.is === 'ready') this.#port = ready.port
  }

  /** Ends the process as nothing can be ended that would still do something. */
  async kill(): Promise<void> {
    this.#isDying = true
    this.kills += 1
    this.#child?.kill('SIGKILL')
    await this.#gone
    this.#reports.length = 0
  }

  /** Moves the time of the host on; the next process goes on from there. */
  async moveClock(byMs: number): Promise<void> {
    this.#now += byMs
    const moved = this.#next('moved')
    this.#tell({ do: 'move clock', byMs })
    await moved
  }

  /** Resolves when the host's own tool is running. */
  async inTool(): Promise<void> {
    if (this.toolRuns === 0) await this.#next('in tool')
  }

  endTool(): void {
    this.#tell({ do: 'end tool' })
  }

  #tell(order: HostOrder): void {
    this.#child?.send(order, () => undefined)
  }

  #take(report: HostReport): void {
    if (report.is === 'in tool') this.toolRuns += 1
    const index = this.#reports.findIndex(({ is }) => is === report.is)
    const [waiting] = index < 0 ? [] : this.#reports.splice(index, 1)
    waiting?.tell(report)
  }

  /** The next report of a kind; rejects when the process ends by itself before it gives one. */
  async #next(is: HostReport['is']): Promise<HostReport> {
    const told = Promise.withResolvers<HostReport>()
    this.#reports.push({ is, tell: told.resolve })
    const ended = this.#gone.then((): never => {
      const how = this.#isDying ? 'was killed' : 'ended by itself'
      throw new Error(`The host ${how} before it was ${is}. ${this.#error}`)
    })
    return await Promise.race([told.promise, ended])
  }

  /** What the host wrote where its operator looks. */
  get complaints(): string {
    return this.#error
  }
}
