import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newSessionState } from '../../src/core/run/draft.ts'
import { fold } from '../../src/core/run/fold.ts'
import type { CallState, StoredEvent } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'

const seed = Number(process.env.CRASH_SEED ?? 20_261_130)
const kills = Number(process.env.CRASH_KILLS ?? 200)
const fixture = new URL('./fixtures/crash-job.ts', import.meta.url).pathname
const root = mkdtempSync(join(tmpdir(), 'toolpost-crash-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A small folder for the job to work on. */
const sample = join(root, 'sample')
mkdirSync(sample)
cpSync(new URL('./fixtures/sample', import.meta.url).pathname, sample, { recursive: true })

interface Trial {
  readonly dir: string
  readonly store: string
  readonly effects: string
  readonly answers: string
  readonly kills: string
}

function newTrial(name: string): Trial {
  const at = join(root, name)
  const dir = join(at, 'folder')
  cpSync(sample, dir, { recursive: true })
  return {
    dir,
    store: join(at, 'log.db'),
    effects: join(at, 'effects'),
    answers: join(at, 'answers'),
    kills: join(at, 'kills'),
  }
}

interface Ended {
  readonly signal: NodeJS.Signals | null
  readonly code: number | null
  readonly out: string
  readonly error: string
}

function runJob(trial: Trial, killAt: number, mayReconcile: boolean): Promise<Ended> {
  const child = spawn(process.execPath, [fixture, JSON.stringify({ ...trial, killAt, mayReconcile })])
  let out = ''
  let error = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    error += data
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, out, error }))
  })
}

interface Point {
  readonly kind: string
  readonly within: boolean
}

interface Finished {
  readonly status: string
  readonly points: readonly Point[]
}

/** The same seed gives the same numbers. */
function seededRandom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function linesOf<Line>(path: string): Line[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

async function logOf(trial: Trial): Promise<readonly StoredEvent[]> {
  const store = sqlite(trial.store)
  try {
    const [session] = await store.list({ kind: 'session', limit: 1 })
    return session === undefined ? [] : await store.read(session.stream)
  } finally {
    await store.close()
  }
}

/** Everything that must hold after the resumed job has ended. */
async function checkTrial(trial: Trial): Promise<{ uncertain: number }> {
  const events = await logOf(trial)
  const state = newSessionState()
  fold(state, events).commit()
  const claims = events.flatMap(({ event }) =>
    event.type === 'call.started' ? [`${event.call}/${event.attempt}`] : [],
  )
  expect(new Set(claims).size, 'every claim is made once').toBe(claims.length)
  const effects = linesOf<{ call: string; claim: number; tool: string }>(trial.effects).map(
    ({ call, claim }) => `${call}/${claim}`,
  )
  expect(new Set(effects).size, 'no claim had two effects').toBe(effects.length)
  for (const effect of effects) expect(claims, 'no effect without its claim').toContain(effect)
  const calls = [...state.calls.values()]
  for (const call of calls.filter((each) => each.toolClass === 'write')) checkWrite(call, effects)
  checkAnswers(trial, events)
  expect([...state.runs.values()].map((run) => run.ended?.status)).toEqual(['completed'])
  return { uncertain: state.uncertain.size }
}

/** An effect that is no read took place once at most; if it took place, the call says completed or uncertain. */
function checkWrite(call: CallState, effects: readonly string[]): void {
  const own = effects.filter((effect) => effect.startsWith(`${call.id}/`))
  expect(own.length, 'a write took place once at most').toBeLessThanOrEqual(1)
  const { end } = call
  const isUncertain = end?.status === 'failed' && end.effect === 'uncertain'
  if (own.length === 1)
    expect(end?.status === 'completed' || isUncertain, 'an effect is not denied').toBe(true)
  if (end?.status === 'completed') expect(own, 'a completed write took place').toHaveLength(1)
}

/** What was acknowledged to who answered stands in the log, once, and was not asked again. */
function checkAnswers(trial: Trial, events: readonly StoredEvent[]): void {
  for (const { ticket, call } of linesOf<{ ticket: string; call: string }>(trial.answers)) {
    const decided = events.filter(({ event }) => event.type === 'approval.decided' && event.ticket === ticket)
    expect(
      decided.map(({ event }) => event),
      'no answer was lost',
    ).toMatchObject([{ approved: true, by: { id: 'tester' } }])
    const asks = events.filter(({ event }) => event.type === 'approval.requested' && event.call === call)
    expect(asks, 'nobody was asked twice').toHaveLength(1)
  }
}

/** Chooses the moments to kill at: half of them between a start and its outcome, the rest anywhere. */
function choosePoints(points: readonly Point[], random: () => number): number[] {
  const within = points.flatMap((point, index) => (point.within ? [index] : []))
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const all = points.map((_point, index) => index)
  return Array.from({ length: kills }, (_value, index) => (index % 2 === 0 ? pick(within) : pick(all)))
}

async function killAndResume(index: number, killAt: number): Promise<string> {
  const trial = newTrial(`kill-${index}`)
  const mayReconcile = index % 4 < 2
  const killed = await runJob(trial, killAt, mayReconcile)
  expect(killed.signal, killed.error).toBe('SIGKILL')
  const resumed = await runJob(trial, -1, mayReconcile)
  expect(resumed.code, resumed.error).toBe(0)
  const { uncertain } = await checkTrial(trial)
  const [point] = linesOf<Point>(trial.kills)
  expect(point, 'the kill was noted').toBeDefined()
  rmSync(join(root, `kill-${index}`), { recursive: true, force: true })
  return `${point?.kind}${point?.within ? ', between start and outcome' : ''}${uncertain > 0 ? ', ended uncertain' : ''}`
}

test(`the main job, killed at ${kills} points and resumed, has no effect without exactly one claim and loses no answer [faults/F27] [faults/F33]`, async () => {
  const whole = newTrial('whole')
  const first = await runJob(whole, -1, true)
  expect(first.code, first.error).toBe(0)
  const { status, points } = JSON.parse(first.out) as Finished
  expect(status).toBe('completed')
  expect(linesOf(whole.answers).length, 'the job asks').toBeGreaterThan(0)
  const chosen = choosePoints(points, seededRandom(seed))
  const histogram = new Map<string, number>()
  const queue = chosen.entries()
  const work = async () => {
    for (const [index, killAt] of queue) {
      const kind = await killAndResume(index, killAt)
      histogram.set(kind, (histogram.get(kind) ?? 0) + 1)
    }
  }
  await Promise.all([work(), work()])
  const rows = [...histogram]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `  ${String(count).padStart(4)}  ${kind}`)
  console.log(`${kills} kills, seed ${seed}, ${points.length} points in the job\n${rows.join('\n')}`)
  const within = [...histogram]
    .filter(([kind]) => kind.includes('between'))
    .reduce((sum, [, count]) => sum + count, 0)
  expect(within).toBeGreaterThanOrEqual(Math.min(50, kills / 4))
}, 600_000)
