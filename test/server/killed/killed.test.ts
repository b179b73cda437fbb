import { expect, test } from 'vitest'
import { Dice } from '../../../chaos/dice.ts'
import { everyKill, undisturbed } from '../../../chaos/host/plan-plays.ts'
import { playHosts } from '../../../chaos/host/play-hosts.ts'
import { scripts } from '../../../chaos/host/scripts.ts'
import { describePlay, tableOf } from '../../../chaos/host/table.ts'

const seed = Number(process.env.HOST_SEED ?? 20_261_130)
const count = Number(process.env.HOST_PLAYS ?? 18)

test(`${count} scripts of the wire, their host killed at seeded steps, lose nothing and do nothing twice [application/G12]`, async () => {
  const dice = new Dice(seed)
  const chosen = dice.shuffled(scripts).slice(0, Math.ceil(count / 2))
  const whole = await playHosts(chosen.map(undisturbed), 2)
  const plays = whole.flatMap((play) => dice.shuffled(everyKill(play, dice)).slice(0, 2)).slice(0, count)
  const finished = [...whole, ...(await playHosts(plays, 2))]
  console.log(`seed ${seed}\n${tableOf(finished)}`)
  expect(finished.filter(({ faults }) => faults.length > 0).map(describePlay)).toEqual([])
  expect(finished.every(({ kills, hostsKilled }) => hostsKilled >= kills.length)).toBe(true)
}, 120_000)
