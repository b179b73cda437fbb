import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DriveEnd, Order, Report } from './orders.ts'

/** How an order came out. */
export type OrderEnd =
  | { readonly is: 'done'; readonly drives: readonly DriveEnd[] }
  /** The process is gone; `place` is the point that it had passed last. */
  | { readonly is: 'killed'; readonly place: string }
  | { readonly is: 'broken'; readonly text: string }

const program = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** One worker, seen from the process that gives the orders. */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #placePath: string
  #error = ''
  #isGone = false
  #isDying = false
  #onEnd: (end: OrderEnd) => void = () => undefined
  #onBegun: () => void = () => undefined
  readonly ready: Promise<void>
  readonly gone: Promise<void>

  constructor(placePath: string, compileCache: string) {
    this.#placePath = placePath
    this.#child = fork(program, [placePath], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
      execArgv: [],
    })
    this.#child.stderr?.on('data', (data) => {
      this.#error += data
    })
    let isReady: () => void = () => undefined
    this.ready = new Promise((resolve) => {
      isReady = resolve
    })
    this.#child.on('message', (report: Report) => {
      if (report.is === 'ready') isReady()
      else if (report.is === 'begun') this.#onBegun()
      else this.#onEnd(report)
    })
    this.gone = new Promise((resolve) => {
      this.#child.on('error', (error) => {
        this.#error += error.stack
      })
      this.#child.on('close', (code, signal) => {
        this.#isGone = true
        isReady()
        this.#onEnd(this.#endOfProcess(code, signal))
        resolve()
      })
    })
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Whether it was killed from here, be it after it had carried out its order. */
  get isDying(): boolean {
    return this.#isDying
  }

  /**
   * Gives an order and waits until it is carried out or the process is gone. One order at a time. `onBegun` is
   * called when the worker has passed its first point.
   */
  async carryOut(order: Order, onBegun: () => void = () => undefined): Promise<OrderEnd> {
    await this.ready
    if (this.#isGone) return { is: 'broken', text: `A worker ended before its order. ${this.#error}` }
    return await new Promise((resolve) => {
      this.#onEnd = (end) => {
        this.#onBegun = () => undefined
        resolve(end)
      }
      this.#onBegun = onBegun
      this.tell(order)
    })
  }

  /** A message to a process that is just being killed goes nowhere. */
  tell(order: Order): void {
    this.#child.send(order, () => undefined)
  }

  kill(): void {
    this.#isDying = true
    this.#child.kill('SIGKILL')
  }

  /** One that was killed before it came to work has passed nothing. */
  #lastPlace(): string {
    return existsSync(this.#placePath) ? readFileSync(this.#placePath, 'utf8').trim() : ''
  }

  #endOfProcess(code: number | null, signal: NodeJS.Signals | null): OrderEnd {
    if (signal === 'SIGKILL') return { is: 'killed', place: this.#lastPlace() }
    return { is: 'broken', text: `A worker ended with ${signal ?? code}. ${this.#error}` }
  }
}
