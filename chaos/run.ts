import { parseArgs } from 'node:util'
import { type FailedRound, playRounds, type RoundKind } from './play-rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    round: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    lanes: { type: 'string', default: '2' },
    kind: { type: 'string', default: 'plain' },
  },
})

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`--${name} takes a whole number of at least ${least}, not "${text}".`)
}

function describe(seed: number, { round, folder, faults }: FailedRound): string {
  const again = `npm run chaos -- --kind ${kind} --seed ${seed} --round ${round} --rounds 50`
  return [`Round ${round} failed; its files are in ${folder}`, `Play it again: ${again}`, ...faults].join(
    '\n  ',
  )
}

if (values.store !== 'sqlite')
  throw new Error(`There is no store "${values.store}" that processes share; take sqlite.`)
const kind = (['plain', 'tree', 'all'] satisfies RoundKind[]).find((each) => each === values.kind)
if (kind === undefined)
  throw new Error(`There is no kind "${values.kind}" of rounds; take plain, tree or all.`)
const count = wholeNumber('rounds', values.rounds, 1)
const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000_000), 0)
const only = values.round === undefined ? undefined : wholeNumber('round', values.round, 0)
const lanes = wholeNumber('lanes', values.lanes, 1)

console.log(`seed ${seed}, ${count} rounds, kind ${kind}`)
const startedAt = Date.now()
const { tally, failed, processes } = await playRounds({
  seed,
  kind,
  rounds: Array.from({ length: count }, (_value, index) => only ?? index),
  lanes,
  onRound: (done) => {
    if (done % 500 === 0) console.log(`${done} rounds after ${Math.round((Date.now() - startedAt) / 1000)} s`)
  },
})
console.log(`\n${tally.text()}\n`)
for (const failure of failed.slice(0, 20)) console.log(`${describe(seed, failure)}\n`)
const seconds = Math.round((Date.now() - startedAt) / 1000)
console.log(
  `seed ${seed}: ${tally.rounds} rounds, ${processes} processes, ${failed.length} failed, ${seconds} s`,
)
process.exitCode = failed.length === 0 ? 0 : 1
