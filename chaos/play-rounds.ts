import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkRound } from './check-round.ts'
import { countRound } from './count-round.ts'
import { seedOf } from './dice.ts'
import { playRound } from './play-round.ts'
import { planRound } from './round-plan.ts'
import { Tally } from './tally.ts'
import { planTreeRound } from './tree-round-plan.ts'
import { WorkerPool } from './worker-pool.ts'

/** `plain`: agents with tools; `tree`: with agents below them; `all`: the one and the other in turn. */
export type RoundKind = 'plain' | 'tree' | 'all'

/** Which rounds are played. */
export interface RoundsOptions {
  readonly seed: number
  readonly kind: RoundKind
  /** Numbers of rounds, from 0; a number may come more than once. */
  readonly rounds: readonly number[]
  /** How many rounds are played at once. */
  readonly lanes: number
  /** Told of every round when it has been checked. */
  readonly onRound?: (done: number, tally: Tally) => void
}

/** A round that did not keep what the runtime promises. Its folder is left where it is. */
export interface FailedRound {
  readonly round: number
  readonly folder: string
  readonly faults: readonly string[]
}

export interface PlayedRounds {
  readonly tally: Tally
  readonly failed: readonly FailedRound[]
  readonly processes: number
}

/** Plays rounds, some at once, checks each, and ends every process that it started, also when it throws. */
export async function playRounds(options: RoundsOptions): Promise<PlayedRounds> {
  const { lanes, rounds } = options
  const root = mkdtempSync(join(tmpdir(), 'toolpost-chaos-'))
  const pool = new WorkerPool(root, lanes * 2)
  const tally = new Tally(options.kind !== 'plain')
  const failed: FailedRound[] = []
  try {
    await pool.open()
    const queue = rounds.entries()
    const lane = async () => {
      for (const [index, round] of queue) {
        const failure = await playOne(options, pool, tally, { round, folder: join(root, `round-${index}`) })
        if (failure !== undefined) failed.push(failure)
        options.onRound?.(index + 1, tally)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    await pool.close()
    for (const name of failed.length === 0 ? [''] : ['places', 'compiled'])
      rmSync(join(root, name), { recursive: true, force: true })
  }
  return { tally, failed, processes: pool.started }
}

async function playOne(
  { seed, kind }: RoundsOptions,
  pool: WorkerPool,
  tally: Tally,
  { round, folder }: { readonly round: number; readonly folder: string },
): Promise<FailedRound | undefined> {
  const isTree = kind === 'all' ? round % 2 === 1 : kind === 'tree'
  const plan = (isTree ? planTreeRound : planRound)(seedOf(seed, round))
  const played = await playRound(pool, plan, folder, tally)
  const { faults: found, read } = await checkRound(played)
  // A round that broke off before its end leaves runs open; what matters is why it broke off.
  const faults = played.faults.length > 0 ? played.faults : found
  if (read !== undefined) countRound(tally, played, read)
  if (faults.length > 0) return { round, folder, faults }
  rmSync(folder, { recursive: true, force: true })
  return undefined
}
