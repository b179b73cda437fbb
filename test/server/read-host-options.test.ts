import { expect, test } from 'vitest'
import { createHost, type HostOptions } from '../../src/host.ts'
import { scriptedModel, tool } from '../../src/index.ts'

const providers = { docs: { models: { small: scriptedModel(() => 'Hello.') } } }
const dotted = tool({ name: 'a-b.c', description: 'x', toolClass: 'read', execute: () => 1 })

const wrong: readonly [what: string, options: object, told: RegExp][] = [
  [
    'a key that is not known, with those that are',
    { providers, tols: [] },
    /no "tols"; there are .*tools.*limits/,
  ],
  [
    'a key below one, with those that are there',
    { providers, limits: { stepMax: 1 } },
    /\/limits\/stepMax is not allowed \(there are stepsMax, /,
  ],
  ['no provider at all', { providers: {} }, /at least one provider/],
  ['a tool whose name no request can say', { providers, tools: [dotted] }, /"a-b\.c" cannot be selected/],
]

test.each(wrong)('a host refuses %s', (_, options, told) => {
  expect(() => createHost(options as HostOptions)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringMatching(told) }),
  )
})

test('who waits for the JSON of a run that rests is told which run goes on, and that it is not to be sent again', async () => {
  const started = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<string>()
  const execute = () => {
    started.resolve()
    return ending.promise
  }
  const slow = tool({ name: 'slow', description: 'Takes long', toolClass: 'read', execute })
  const model = scriptedModel([{ calls: [{ name: 'slow' }] }, 'Done.'])
  const host = createHost({ providers: { docs: { models: { small: model } } }, tools: [slow] })
  const request = { provider: 'docs', model: 'small', input: 'Go.', tools: ['slow'], onDisconnect: 'keep' }
  const answer = host.run(request).catch((error: unknown) => error)
  await started.promise
  const [run] = (await host.listRuns()).runs
  const closing = host.close({ graceMs: 0 })
  expect(await answer).toMatchObject({
    code: 'HOST_SHUTTING_DOWN',
    retryable: false,
    outcome: 'uncertain',
    message: expect.stringContaining(run?.runId ?? 'no run'),
  })
  ending.resolve('x')
  await closing
})
