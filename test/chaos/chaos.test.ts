import { afterAll, expect, test } from 'vitest'
import { pointKinds } from '../../chaos/kill-points.ts'
import { type PlayedRounds, playRounds } from '../../chaos/play-rounds.ts'

const seed = Number(process.env.CHAOS_SEED ?? 20_261_130)
const count = Number(process.env.CHAOS_ROUNDS ?? 150)
let played: PlayedRounds | undefined
afterAll(() => console.log(`seed ${seed}\n${played?.tally.text()}`))

test(`${count} rounds of processes killed at seeded points keep every effect, answer and uncertainty in the log [faults/F27] [faults/F33]`, async () => {
  played = await playRounds({
    seed,
    rounds: Array.from({ length: count }, (_value, index) => index),
    lanes: 2,
  })
  const { tally, failed } = played
  expect(failed, `play one again by npm run chaos -- --seed ${seed} --round <round> --rounds 50`).toEqual([])
  expect(tally.rounds).toBe(count)
  const missed = [...pointKinds, undefined].filter((kind) => tally.killsAt(kind) === 0)
  expect(missed, 'every kind of kill point was hit').toEqual([])
  const refused = ['SESSION_BUSY', 'LEASE_LOST'].filter((code) => tally.drivesTo(code) === 0)
  expect(refused, 'processes met at one session').toEqual([])
  for (const name of ['uncertain calls', 'answers acknowledged', 'asks answered by two at once'] as const)
    expect(tally.counts.get(name), name).toBeGreaterThan(0)
  expect(tally.killedRoles.get('resumer'), 'processes that resume were killed too').toBeGreaterThan(0)
}, 600_000)
