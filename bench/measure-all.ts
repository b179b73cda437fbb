import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { Row } from './row.ts'
import { longRunRows } from './rows/long-run-rows.ts'
import { concurrentRows, loopRows } from './rows/loop-rows.ts'
import { rateRows } from './rows/rate-rows.ts'
import { longLogRows, sleepingRows } from './rows/sleeping-rows.ts'
import { ticketRows } from './rows/ticket-rows.ts'
import { waitingRows } from './rows/waiting-rows.ts'

const groups = [
  loopRows,
  concurrentRows,
  longRunRows,
  longLogRows,
  sleepingRows,
  ticketRows,
  waitingRows,
  rateRows,
]

/** Measures every row, prints the table and writes `results.json`. */
export async function measureAll(): Promise<void> {
  const rows: Row[] = []
  for (const measure of groups) {
    const measured = await measure()
    for (const row of measured) console.log(lineOf(row))
    rows.push(...measured)
  }
  const over = rows.filter(({ ratio, budget }) => budget !== undefined && (ratio ?? 0) > budget)
  const load = loadavg()[0] ?? 0
  console.log(
    `\n${over.length === 0 ? 'No row is' : `${over.length} rows are`} over budget; load ${load.toFixed(1)}.`,
  )
  writeFileSync(
    new URL('results.json', import.meta.url),
    `${JSON.stringify({ rows: rows.map(rounded) }, null, 2)}\n`,
  )
}

function lineOf(row: Row): string {
  const { name, ratio, budget, peer, runs, oursMs, peerMs, perSecond } = row
  const name72 = name.padEnd(72)
  if (ratio === undefined) return `${name72} ${String(perSecond).padStart(9)} a second`
  const judged = budget === undefined ? '' : `  budget ${budget}${ratio <= budget ? '' : ' OVER'}`
  const times = oursMs === undefined ? '' : `${oursMs.toFixed(3)} ms over ${peerMs?.toFixed(3)} ms, `
  return `${name72} ${ratio.toFixed(2).padStart(9)}x${judged}  (${times}${peer}, ${runs} runs)`
}

function rounded(row: Row): Row {
  return JSON.parse(
    JSON.stringify(row, (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)),
  )
}
