import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { checkPlay } from './check-play.ts'
import { type KillPlan, Play, type PlayedStep } from './play.ts'
import type { Script } from './script.ts'

/** One play: which script, and where its host is killed. */
export interface PlannedPlay {
  readonly script: Script
  readonly kills: readonly KillPlan[]
  readonly isSamePort: boolean
}

/** How it came out. */
export interface FinishedPlay extends PlannedPlay {
  readonly faults: readonly string[]
  readonly steps: readonly PlayedStep[]
  readonly hostsKilled: number
  readonly connections: number
}

/** A step that hangs is a fault, and no reason to wait for ever. Machines are slow when they start many processes. */
const stepMsMax = 30_000

/** Plays each, some at once, in folders of their own; those of plays with faults are left, and their place is said. */
export async function playHosts(
  plays: readonly PlannedPlay[],
  lanes: number,
  onPlay: (done: number) => void = () => undefined,
): Promise<readonly FinishedPlay[]> {
  const root = mkdtempSync(join(tmpdir(), 'toolpost-hosts-'))
  const finished: FinishedPlay[] = []
  const queue = plays.entries()
  const lane = async () => {
    for (const [index, planned] of queue) {
      const folder = join(root, `play-${index}`)
      mkdirSync(folder)
      const play = await playOne(planned, folder, join(root, 'compiled'))
      finished.push(play)
      if (play.faults.length === 0) rmSync(folder, { recursive: true, force: true })
      onPlay(finished.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    const isClean = finished.every(({ faults }) => faults.length === 0)
    rmSync(isClean ? root : join(root, 'compiled'), { recursive: true, force: true })
  }
  return finished
}

async function playOne(planned: PlannedPlay, folder: string, compiled: string): Promise<FinishedPlay> {
  const { script, kills, isSamePort } = planned
  const place = { store: join(folder, 'host.db'), witness: join(folder, 'witness'), compiled }
  const play = new Play({ place, setup: script.setup ?? {}, kills, isSamePort })
  const giveUp = new AbortController()
  const found = await Promise.race([playAndCheck(script, play), hangs(play, giveUp.signal)])
  giveUp.abort()
  await play.host.kill()
  const where = `${play.steps.length}. ${play.steps.at(-1)?.name}, files in ${folder}`
  return {
    ...planned,
    faults: found.map((fault) => `${fault} (last step ${where})`),
    steps: play.steps,
    hostsKilled: play.host.kills - 1,
    connections: play.runs.reduce((sum, run) => sum + run.connections, 0),
  }
}

/** Says so when a step has taken too long. */
async function hangs({ steps }: Play, signal: AbortSignal): Promise<readonly string[]> {
  for (let before = -1; before !== steps.length; ) {
    before = steps.length
    await wait(stepMsMax, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return []
  }
  return ['it hangs']
}

async function playAndCheck(script: Script, play: Play): Promise<readonly string[]> {
  try {
    await play.host.start()
    await script.play(play)
    return await checkPlay(script, play)
  } catch (error) {
    return [...play.faults, error instanceof Error ? String(error.stack) : String(error)]
  }
}
