import { mkdirSync } from 'node:fs'
import { newSessionState } from '../src/core/run/draft.ts'
import { fold } from '../src/core/run/fold.ts'
import type { Store } from '../src/index.ts'
import { sqlite } from '../src/sqlite.ts'
import type { Act, Part, RoundPlan } from './act.ts'
import { hasTrees, isSomethingOpen, lastOrders } from './last-orders.ts'
import { storeFile } from './open-round.ts'
import type { Order } from './orders.ts'
import { sessionsOf } from './read-round.ts'
import type { Tally } from './tally.ts'
import type { WorkerPool } from './worker-pool.ts'
import type { OrderEnd, WorkerProcess } from './worker-process.ts'

/** What a round leaves behind beside its folder. */
export interface PlayedRound {
  readonly folder: string
  readonly plan: RoundPlan
  /** Calls that were claimed and had no outcome when every process that could know it was gone. */
  readonly orphans: ReadonlySet<string>
  /** What must not happen to a process, and did. */
  readonly faults: readonly string[]
}

/** How long one act may last before it counts as hung. */
const actMsMax = 60_000
const lastActsMax = 60
const waitsForNothing = 'A run waits, and nothing in the store is open, due or uncertain'

/** Plays a round: its acts, and then a last process that is left alone until every run has ended. */
export async function playRound(
  pool: WorkerPool,
  plan: RoundPlan,
  folder: string,
  tally: Tally,
): Promise<PlayedRound> {
  mkdirSync(folder, { recursive: true })
  const round = new Round(pool, plan, folder, tally)
  try {
    for (const act of plan.acts) {
      await round.play(act)
      if (!(await round.look())) break
    }
    await round.playToEnd()
  } catch (error) {
    if (!(error instanceof RoundBroke)) throw error
  } finally {
    await round.leave()
  }
  return { folder, plan, orphans: round.orphans, faults: round.faults }
}

class RoundBroke extends Error {}

class Round {
  readonly #pool: WorkerPool
  readonly #plan: RoundPlan
  readonly #folder: string
  readonly #tally: Tally
  readonly #mine = new Set<WorkerProcess>()
  readonly #free: WorkerProcess[] = []
  #store: Store | undefined
  readonly orphans = new Set<string>()
  readonly faults: string[] = []

  constructor(pool: WorkerPool, plan: RoundPlan, folder: string, tally: Tally) {
    this.#pool = pool
    this.#plan = plan
    this.#folder = folder
    this.#tally = tally
  }

  /** Lets the parts of an act work at once. Those that go on are released when the others have come to an end. */
  async play(act: Act): Promise<void> {
    const parts = act.map((part) => ({ part, worker: this.#take() }))
    await Promise.all(parts.map(({ worker }) => worker.ready))
    const timer = setTimeout(() => {
      this.faults.push(`An act hung for ${actMsMax} ms: ${act.map(({ role }) => role).join(', ')}.`)
      for (const { worker } of parts) worker.kill()
    }, actMsMax)
    let firstBegan: () => void = () => undefined
    const began = new Promise<void>((resolve) => {
      firstBegan = resolve
    })
    const working = parts.map(({ part, worker }, index) => {
      const end = this.#carryOut(part, worker, began, index === 0 ? firstBegan : undefined)
      return { part, worker, end }
    })
    const goesOn = ({ part }: { part: Part }) => part.do !== 'drive' && part.goesOn
    await Promise.all(working.filter((each) => !goesOn(each)).map(({ end }) => end))
    for (const each of working) if (goesOn(each)) each.worker.tell({ do: 'release' })
    await Promise.all(working.map(({ end }) => end))
    clearTimeout(timer)
    if (this.faults.length > 0) throw new RoundBroke()
  }

  /**
   * Every process of the round is at rest or gone: a call without an outcome has lost the one that ran it. False
   * when every run has ended.
   */
  async look(): Promise<boolean> {
    this.#store ??= sqlite(storeFile(this.#folder))
    let isOpen = false
    for (const id of await sessionsOf(this.#store, this.#plan)) {
      const state = newSessionState()
      fold(state, await this.#store.read(`session:${id}`)).commit()
      for (const call of state.calls.values()) if (call.status === 'started') this.orphans.add(call.id)
      // A child that nobody waits for any more is stopped in the end.
      if (state.parent === undefined) isOpen ||= state.runs.size === 0 || state.openRun !== undefined
    }
    return isOpen
  }

  async playToEnd(): Promise<void> {
    const last = this.#take()
    const orders = lastOrders(this.#plan, this.#folder)
    for (let acts = 0; acts < lastActsMax; acts += 1) {
      const drives = await this.#alone(last, orders.drive(acts))
      const open = drives.filter(({ came }) => came === 'waiting')
      const refused = drives.filter(({ came }) => came === came.toUpperCase())
      for (const { session, came } of refused)
        this.faults.push(`The last process, alone, was refused session ${session}: ${came}.`)
      if (open.length === 0 || refused.length > 0) break
      this.#store ??= sqlite(storeFile(this.#folder))
      if (!(await isSomethingOpen(this.#store))) this.faults.push(`${waitsForNothing} (${open[0]?.session})`)
      await this.#alone(last, orders.answer(acts))
      if (acts === lastActsMax - 1)
        this.faults.push('The last process drove and answered, and the runs did not end.')
    }
    if (hasTrees(this.#plan)) await this.#alone(last, orders.tend(lastActsMax))
    this.#giveBack(last)
  }

  /** Gives the workers that are left back to those that wait for the next round. */
  async leave(): Promise<void> {
    await this.#store?.close()
    for (const worker of this.#mine) {
      const end = await worker.carryOut({ do: 'leave' })
      if (end.is === 'broken') this.faults.push(end.text)
      this.#pool.give(worker)
    }
  }

  async #alone(worker: WorkerProcess, order: Order) {
    const timer = setTimeout(() => worker.kill(), actMsMax)
    const end = await worker.carryOut(order)
    clearTimeout(timer)
    if (end.is === 'done') return end.drives
    this.faults.push(
      end.is === 'broken' ? end.text : `The last process hung, after it had passed "${end.place}".`,
    )
    worker.kill()
    this.#mine.delete(worker)
    throw new RoundBroke()
  }

  async #carryOut(
    part: Part,
    worker: WorkerProcess,
    firstBegan: Promise<void>,
    onBegun: () => void = () => undefined,
  ): Promise<void> {
    const { role: _role, afterMs, waitsForFirst, ...order } = part
    if (waitsForFirst === true) await firstBegan
    let timer: NodeJS.Timeout | undefined
    const end = await worker.carryOut({ ...order, place: { folder: this.#folder } }, () => {
      if (afterMs !== undefined) timer = setTimeout(() => worker.kill(), afterMs)
      onBegun()
    })
    clearTimeout(timer)
    // Who ends without having passed a point keeps nobody waiting.
    onBegun()
    this.#note(part, end)
    if (end.is === 'done' && !worker.isDying) return this.#giveBack(worker)
    worker.kill()
    await worker.gone
    this.#mine.delete(worker)
  }

  #note(part: Part, end: OrderEnd): void {
    if (end.is === 'broken') this.faults.push(`A ${part.role} broke: ${end.text}`)
    if (end.is === 'killed') this.#tally.killed(part, end.place)
    if (end.is === 'done') this.#tally.drove(part.role, end.drives)
  }

  #take(): WorkerProcess {
    const worker = this.#free.pop() ?? this.#pool.take()
    this.#mine.add(worker)
    return worker
  }

  #giveBack(worker: WorkerProcess): void {
    this.#free.push(worker)
  }
}
