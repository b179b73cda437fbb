import { expect, test } from 'vitest'
import * as z from 'zod'
import { type AgentConfig, agent, type RunEvent, scriptedModel, sequence } from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'

/** The warnings of a run of this one answer, and the place of the run's end behind them. */
async function warned(step: ScriptStep, over: Partial<AgentConfig> = {}) {
  const session = await agent({
    name: 'quiet',
    model: scriptedModel([step, '{"n":1}']),
    ...over,
  }).startSession()
  const seen: RunEvent[] = []
  for await (const event of session.stream('Go.')) seen.push(event)
  const warnings = seen.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
  const ended = seen.find((event) => event.type === 'run.ended')
  return { warnings, status: ended?.type === 'run.ended' ? ended.status : undefined }
}

const said = 'The model scripted/model answered with no text and no call; the run completes without words.'

test.each<[string, ScriptStep]>([
  ['nothing at all', ''],
  ['blanks', ' \n'],
  ['thoughts alone', { reasoning: 'Hm.' }],
])('an answer of %s completes the run, with a warning', async (_what, step) => {
  expect(await warned(step)).toEqual({ warnings: [said], status: 'completed' })
})

test('an answer with words, or one that was cut short, is told by itself', async () => {
  expect(await warned('Yes.')).toEqual({ warnings: [], status: 'completed' })
  expect(await warned({ finish: 'length' })).toEqual({ warnings: [], status: 'cut_short' })
})

test('where an output is read from the answer, an empty one is refused and needs no warning', async () => {
  expect(await warned('', { output: z.object({ n: z.number() }) })).toEqual({
    warnings: [],
    status: 'completed',
  })
})

test('what a hook says in place of an empty answer is no empty answer', async () => {
  const hooks = { afterModel: () => 'Hello.' }
  expect((await warned('', { hooks })).warnings).toEqual([])
})

test('a flow may end with nothing', async () => {
  const flow = sequence({ name: 'silent', steps: [() => undefined] })
  const seen: RunEvent[] = []
  for await (const event of (await flow.startSession()).stream('x')) seen.push(event)
  expect(seen.map(({ type }) => type)).not.toContain('warning')
})
