import { parseArgs } from 'node:util'
import { Dice } from '../dice.ts'
import { everyKill, undisturbed } from './plan-plays.ts'
import { type FinishedPlay, playHosts } from './play-hosts.ts'
import { scripts } from './scripts.ts'
import { describePlay, tableOf } from './table.ts'

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    script: { type: 'string' },
    step: { type: 'string' },
    plays: { type: 'string', default: '40' },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string' },
    lanes: { type: 'string', default: '2' },
  },
})

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`--${name} takes a whole number of at least ${least}, not "${text}".`)
}

const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000_000), 0)
const lanes = wholeNumber('lanes', values.lanes, 1)
const repeat = wholeNumber('repeat', values.repeat, 1)
const step = values.step === undefined ? undefined : wholeNumber('step', values.step, 1)
const wanted = scripts.filter(({ name }) => values.script === undefined || name.includes(values.script))
if (wanted.length === 0) throw new Error(`No script is named like "${values.script}".`)

console.log(`seed ${seed}`)
const startedAt = Date.now()
const whole = await playHosts(wanted.map(undisturbed), lanes)
const dice = new Dice(seed)
const every = Array.from({ length: repeat }, () => whole.flatMap((play) => everyKill(play, dice)))
  .flat()
  .filter(({ kills }) => step === undefined || kills[0]?.step === step)
const isAll = values.all || values.script !== undefined
const chosen = isAll ? every : dice.shuffled(every).slice(0, wholeNumber('plays', values.plays, 1))
const killed = await playHosts(chosen, lanes, (done) => {
  if (done % 50 === 0) console.log(`${done} of ${chosen.length}`)
})
const finished: readonly FinishedPlay[] = [...whole, ...killed]
console.log(`\n${tableOf(finished)}\n`)
const failed = finished.filter(({ faults }) => faults.length > 0)
for (const play of failed) console.log(`${describePlay(play)}\n`)
const seconds = Math.round((Date.now() - startedAt) / 1000)
console.log(`seed ${seed}: ${finished.length} plays, ${failed.length} failed, ${seconds} s`)
process.exitCode = failed.length === 0 ? 0 : 1
