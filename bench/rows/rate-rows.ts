import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { callDigest } from '../../dist/core/call.js'
import { parseArguments } from '../../dist/core/json/strict.js'
import { evaluate } from '../../dist/core/policy/evaluate.js'
import { tool } from '../../dist/index.js'
import { argumentsOfStep, argumentsSchema, checkStock, description, toolName } from '../loop/task.ts'
import { median, timed } from '../measure.ts'
import type { Row } from '../row.ts'

const runs = 15
const timesPerRun = 20_000
const commitsPerRun = 50

const checked = tool({ name: toolName, description, schema: argumentsSchema, execute: checkStock })

/** How often in a second the pure parts of a call's way can be walked, and how often this disk can sync. */
export async function rateRows(): Promise<Row[]> {
  return [
    await rateRow('policy decisions', async () => {
      for (let count = 0; count < timesPerRun; count += 1) decide(count)
    }),
    await rateRow('arguments parsed, validated and digested', async () => {
      for (let count = 0; count < timesPerRun; count += 1) await takeIn(count)
    }),
    await commitRow(),
  ]
}

/** What the rows on SQLite stand on: nothing that syncs every commit is faster than this. */
async function commitRow(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpost-bench-'))
  const database = new DatabaseSync(join(folder, 'commits.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE log (text TEXT)')
  const insert = database.prepare('INSERT INTO log VALUES (?)')
  const commits = async () => {
    for (let count = 0; count < commitsPerRun; count += 1) insert.run('x'.repeat(1_000))
  }
  const row = await rateRow('commits of one row to SQLite, synchronous FULL', commits, commitsPerRun)
  database.close()
  rmSync(folder, { recursive: true })
  return row
}

async function rateRow(name: string, work: () => Promise<void>, times = timesPerRun): Promise<Row> {
  const samples: number[] = []
  for (let run = -2; run < runs; run += 1) {
    const durationMs = await timed(work)
    if (run >= 0) samples.push(durationMs)
  }
  return { name, peer: 'none', runs, perSecond: Math.round((times * 1_000) / median(samples)) }
}

function decide(count: number): void {
  const call = { args: { sku: `ADK-${count}`, quantity: 1 }, digest: '' }
  const source = { kind: 'function', trusted: true } as const
  const facts = { name: toolName, version: '1', developer: true, declaredClass: 'write', source } as const
  const { verdict } = evaluate({ tool: facts, mode: 'auto', governed: true, call })
  if (verdict !== 'run') throw new Error(`The verdict was ${verdict}.`)
}

async function takeIn(count: number): Promise<void> {
  const parsed = parseArguments(argumentsOfStep(count))
  if (!parsed.ok) throw new Error(parsed.fault.message)
  const result = await checked.schema.check(parsed.value)
  if (!result.ok) throw new Error('The arguments were refused.')
  callDigest(checked.name, checked.version, result.input)
}
