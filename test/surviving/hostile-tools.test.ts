import { expect, test } from 'vitest'
import { type Agent, type AgentConfig, agent, scriptedModel, type ToolConfig, tool } from '../../src/index.ts'
import { type ManualClock, manualClock } from '../../src/testing.ts'
import { expectEndedWhole } from './ended-whole.ts'
import { hostileValues } from './hostile-values.ts'
import { untilOver } from './until-over.ts'

type Behaviour = () => unknown

/** The ways in which a function can bring a value out. */
const ways: Readonly<Record<string, (make: () => unknown) => Behaviour>> = {
  'thrown by': (make) => () => {
    throw make()
  },
  'rejected by': (make) => async () => {
    throw make()
  },
  'returned by': (make) => make,
  'resolved by': (make) => async () => make(),
}

/** The functions of a tool, and the approval handler. */
const places: Readonly<Record<string, (act: Behaviour) => Partial<ToolConfig> & Partial<AgentConfig>>> = {
  execute: (act) => ({ execute: act }),
  'execute with an output schema': (act) => ({ execute: act, outputSchema: { type: 'object' } }),
  'execute that is tried three times': (act) => ({
    execute: act,
    retry: { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 1, backoffMultiplier: 1 },
  }),
  retryableErrors: (act) => ({
    execute: () => Promise.reject(new Error('no')),
    retry: {
      maxAttempts: 2,
      initialDelayMs: 1,
      maxDelayMs: 1,
      backoffMultiplier: 1,
      retryableErrors: act as () => boolean,
    },
  }),
  prepare: (act) => ({ prepare: act as () => object }),
  finalize: (act) => ({ finalize: act }),
  check: (act) => ({ check: act as () => 'run' }),
  toolClass: (act) => ({ toolClass: act as () => 'read' }),
  'the approval handler': (act) => ({ approvals: act as () => { approved: boolean }, toolClass: 'write' }),
}

function hostileAgent(parts: Partial<ToolConfig> & Partial<AgentConfig>, clock: ManualClock): Agent {
  const { approvals, ...toolParts } = parts
  const made = tool({
    name: 'hostile',
    description: 'Hostile',
    schema: { type: 'object' },
    timeout: 1_000,
    execute: () => 'fine',
    ...toolParts,
  } as ToolConfig)
  const model = scriptedModel((_request, step) => (step === 1 ? { calls: [{ name: 'hostile' }] } : 'done'))
  return agent({
    name: 'host',
    model,
    tools: [made],
    parts: { clock },
    ...(approvals === undefined
      ? { defaultToolMode: 'ask', approvals: () => ({ approved: true }) }
      : { approvals }),
  })
}

const cases = Object.keys(places).flatMap((place) => Object.keys(ways).map((way) => [way, place] as const))

/** A handler may think as long as it likes; only stopping the run ends the waiting. */
const mayWaitForEver = new Set(['returned by the approval handler', 'resolved by the approval handler'])

test.each(cases)(
  'a hostile value that is %s %s ends each call in one outcome and the run in a defined way [faults/F63] [faults/F52]',
  async (way, place) => {
    const waitsForEver = mayWaitForEver.has(`${way} ${place}`)
    for (const [name, make] of Object.entries(hostileValues)) {
      const what = `${name}, ${way} ${place}`
      const clock = manualClock()
      const agent = hostileAgent(places[place]!(ways[way]!(make)), clock)
      const { session, result, wasStopped } = await untilOver(agent, clock).catch((error: unknown) => {
        throw new Error(`${what}: the run threw`, { cause: error })
      })
      expect(wasStopped, `${what}: had to be stopped`).toBe(waitsForEver && name.includes('never calls back'))
      expect(result.status, what).toBe(wasStopped ? 'cancelled' : 'completed')
      expect(session.state.calls.size, what).toBe(1)
      await expectEndedWhole(session, what)
      expect(clock.sleeping, `${what}: sleepers`).toBe(0)
    }
  },
)
