import { memoryStore } from '../../dist/index.js'
import { generateTextLoop, streamTextLoop } from '../loop/ai-sdk.ts'
import { loopingDriver } from '../loop/driver.ts'
import { loopingModel } from '../loop/language-model.ts'
import { openaiAgentsLoop } from '../loop/openai-agents.ts'
import { temporaryStore } from '../loop/temporary-store.ts'
import { toolpostLoop } from '../loop/toolpost.ts'
import { interleave, type Work } from '../measure.ts'
import { type Row, ratioRow } from '../row.ts'

const warmUps = 80
const runs = 101
const sessionsAtOnce = 32

/** The 20-step loop: ours in memory and on SQLite, and three peers, all in turns. */
export async function loopRows(): Promise<Row[]> {
  await using reads = temporaryStore()
  await using writes = temporaryStore()
  const toolClass = 'read'
  const times = await interleave(
    {
      memory: toolpostLoop({ model: loopingModel(), store: memoryStore(), toolClass }),
      driver: toolpostLoop({ model: loopingDriver(), store: memoryStore(), toolClass }),
      reads: toolpostLoop({ model: loopingModel(), store: reads, toolClass }),
      writes: toolpostLoop({ model: loopingModel(), store: writes, toolClass: 'write' }),
      generateText: generateTextLoop(loopingModel()),
      streamText: streamTextLoop(loopingModel()),
      openaiAgents: openaiAgentsLoop(),
    },
    { warmUps, runs },
  )
  const against = (peer: 'generateText' | 'streamText' | 'openaiAgents', budget?: number) => ({
    peer: peerNames[peer],
    runs,
    peerMs: times[peer],
    ...(budget === undefined ? {} : { budget }),
  })
  const row = (name: string, oursMs: number, { peerMs, ...facts }: ReturnType<typeof against>) =>
    ratioRow(name, { oursMs, peerMs }, facts)
  return [
    row(
      'governed in-process call, 20-step loop, mock model, memory store',
      times.memory,
      against('generateText', 1.2),
    ),
    row(
      'the same through a driver of our own, no provider stream',
      times.driver,
      against('generateText', 0.7),
    ),
    row('the same against streamText', times.memory, against('streamText')),
    row('the same against the OpenAI Agents SDK', times.memory, against('openaiAgents')),
    row('the same on SQLite, synchronous FULL', times.reads, against('generateText', 2.5)),
    row('the same on SQLite with a writing tool', times.writes, against('generateText')),
  ]
}

const peerNames = {
  generateText: 'AI SDK 7 generateText',
  streamText: 'AI SDK 7 streamText',
  openaiAgents: '@openai/agents run',
} as const

/** Many sessions at once share syncs: the time of all, by the same number of loops of the peer at once. */
export async function concurrentRows(): Promise<Row[]> {
  await using reads = temporaryStore()
  await using writes = temporaryStore()
  const ours = { store: reads, toolClass: 'read' } as const
  const times = await interleave(
    {
      reads: atOnce(() => toolpostLoop({ ...ours, model: loopingModel() })),
      writes: atOnce(() => toolpostLoop({ store: writes, toolClass: 'write', model: loopingModel() })),
      generateText: atOnce(() => generateTextLoop(loopingModel())),
    },
    { warmUps: 5, runs: 15 },
  )
  const facts = { peer: peerNames.generateText, runs: 15 }
  const peerMs = times.generateText
  const name = `${sessionsAtOnce} loops at once on SQLite, synchronous FULL`
  return [
    ratioRow(name, { oursMs: times.reads, peerMs }, facts),
    ratioRow(`${name}, with a writing tool`, { oursMs: times.writes, peerMs }, facts),
  ]
}

/** Each loop has a model of its own: a model counts its steps. */
function atOnce(makeLoop: () => Work): Work {
  const loops = Array.from({ length: sessionsAtOnce }, makeLoop)
  return () => Promise.all(loops.map((loop) => loop()))
}
