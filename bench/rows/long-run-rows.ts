import { agent, memoryStore, type Store, tool } from '../../dist/index.js'
import { loopingModel } from '../loop/language-model.ts'
import { argumentsSchema, description, question, toolName } from '../loop/task.ts'
import { temporaryStore } from '../loop/temporary-store.ts'
import { median } from '../measure.ts'
import { type Row, ratioRow } from '../row.ts'

const calls = 1_010
const early = { from: 6, to: 15 }
const late = { from: 996, to: 1_005 }
const runs = 15
const budget = 1.2

interface StepTimes {
  readonly early: number[]
  readonly late: number[]
}

/** What step 1,000 of a run costs over step 10, with results of 2 KB, in memory and on SQLite in turns. */
export async function longRunRows(): Promise<Row[]> {
  await using file = temporaryStore()
  const memory: StepTimes = { early: [], late: [] }
  const sqlite: StepTimes = { early: [], late: [] }
  for (let run = -1; run < runs; run += 1) {
    // The first of each warms up and is not counted.
    const drop: StepTimes = { early: [], late: [] }
    await addSteps(memoryStore(), run < 0 ? drop : memory)
    await addSteps(file, run < 0 ? drop : sqlite)
  }
  return [
    stepRow('cost of step 1,000 over step 10, 2 KB results', memory),
    stepRow('the same on SQLite, synchronous FULL', sqlite),
  ]
}

function stepRow(name: string, times: StepTimes): Row {
  const sides = { oursMs: median(times.late), peerMs: median(times.early) }
  return ratioRow(name, sides, { budget, peer: 'step 10 of the same run', runs })
}

async function addSteps(store: Store, times: StepTimes): Promise<void> {
  const asked = await askedAt(store)
  const between = (step: number) => (asked[step] ?? Number.NaN) - (asked[step - 1] ?? Number.NaN)
  for (let step = early.from; step <= early.to; step += 1) times.early.push(between(step))
  for (let step = late.from; step <= late.to; step += 1) times.late.push(between(step))
}

/** When the model was asked for each step: a step's time is all that lies between two answers. */
async function askedAt(store: Store): Promise<number[]> {
  const asked: number[] = []
  const looping = loopingModel(calls)
  const doStream: typeof looping.doStream = (options) => {
    asked.push(performance.now())
    return looping.doStream(options)
  }
  const clerk = agent({
    name: 'clerk',
    model: { ...looping, doStream },
    tools: [
      tool({
        name: toolName,
        description,
        toolClass: 'read',
        schema: argumentsSchema,
        execute: ({ sku }) => sku.padEnd(2_048, '.'),
      }),
    ],
    store,
    stepsMax: calls + 5,
    results: { runTokensMax: calls * 1_000 },
  })
  const session = await clerk.startSession('auto')
  const { status } = await session.run(question)
  if (status !== 'completed') throw new Error(`The long run ended as ${status}.`)
  return asked
}
