import { afterAll, expect, test } from 'vitest'
import { pointKinds } from '../../chaos/kill-points.ts'
import { type PlayedRounds, playRounds, type RoundKind } from '../../chaos/play-rounds.ts'
import { treeCountNames } from '../../chaos/tally.ts'

const seed = Number(process.env.CHAOS_SEED ?? 20_261_130)
const plainCount = Number(process.env.CHAOS_ROUNDS ?? 110)
const treeCount = Number(process.env.CHAOS_TREE_ROUNDS ?? 40)
const played: PlayedRounds[] = []
afterAll(() => console.log(`seed ${seed}\n${played.map(({ tally }) => tally.text()).join('\n\n')}`))

async function play(kind: RoundKind, count: number): Promise<PlayedRounds['tally']> {
  const rounds = Array.from({ length: count }, (_value, index) => index)
  const all = await playRounds({ seed, kind, rounds, lanes: 2 })
  played.push(all)
  const again = `npm run chaos -- --kind ${kind} --seed ${seed} --round <round> --rounds 50`
  expect(all.failed, `play one again by ${again}`).toEqual([])
  expect(all.tally.rounds).toBe(count)
  return all.tally
}

test(`${plainCount} rounds of processes killed at seeded points keep every effect, answer and uncertainty in the log [faults/F27] [faults/F33]`, async () => {
  const tally = await play('plain', plainCount)
  const missed = [...pointKinds, undefined].filter((kind) => tally.killsAt(kind) === 0)
  expect(missed, 'every kind of kill point was hit').toEqual([])
  const refused = ['SESSION_BUSY', 'LEASE_LOST'].filter((code) => tally.drivesTo(code) === 0)
  expect(refused, 'processes met at one session').toEqual([])
  for (const name of ['uncertain calls', 'answers acknowledged', 'asks answered by two at once'] as const)
    expect(tally.counts.get(name), name).toBeGreaterThan(0)
  expect(tally.killedRoles.get('resumer'), 'processes that resume were killed too').toBeGreaterThan(0)
}, 600_000)

test(`${treeCount} rounds of trees of agents, whose processes are killed between any two writes, keep what plain rounds keep, and lose no child, question or time`, async () => {
  const tally = await play('tree', treeCount)
  expect(tally.treeRounds).toBe(treeCount)
  for (const kind of ['before append', 'after append', undefined])
    expect(tally.killsAt(kind), `kills: ${kind ?? 'at any moment'}`).toBeGreaterThan(0)
  const never = treeCountNames.filter((name) => tally.counts.get(name) === 0)
  expect(never, 'all of what only trees have has happened').toEqual([])
  expect(tally.killedRoles.get('timekeeper'), 'who does what is due was killed too').toBeGreaterThan(0)
}, 600_000)
