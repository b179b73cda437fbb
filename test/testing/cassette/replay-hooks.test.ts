import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  agentTool,
  inputGuardrail,
  outputGuardrail,
  parallel,
  scriptedModel,
  tool,
} from '../../../src/index.ts'
import { exportCassette, formatReplay, parseCassette, replay } from '../../../src/testing.ts'
import { calling } from '../../support/play.ts'

function looking(over: { readonly parallel?: boolean } = {}) {
  return tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'seen', ...over })
}

function failing(over: { readonly parallel?: boolean } = {}) {
  return tool({
    name: 'break',
    description: 'Breaks',
    toolClass: 'read',
    execute: () => {
      throw new Error('broken')
    },
    ...over,
  })
}

const look = looking()
const breaking = failing()

type Steps = Parameters<typeof scriptedModel>[0]

function config(steps: Steps, over: Partial<AgentConfig> = {}): AgentConfig {
  return {
    name: 'clerk',
    model: scriptedModel(steps, { fromHistory: true }),
    tools: [look, breaking],
    ...over,
  }
}

async function replayed(recorded: ReturnType<typeof agent>, now = recorded) {
  const session = await recorded.startSession()
  const { status } = await session.run('Go')
  const cassette = parseCassette(JSON.parse(JSON.stringify(await exportCassette(session))))
  return { status, said: formatReplay(await replay(now, cassette)), cassette }
}

const twoCalls = { calls: [{ name: 'break' }, { name: 'look' }] }

const hooked: Record<string, AgentConfig> = {
  'afterModel that changes a text': config([calling('look'), 'end'], {
    hooks: { name: 'loud', afterModel: ({ text }) => (text === '' ? undefined : `${text}!`) },
  }),
  'afterModel that makes a call': config(['a', 'b'], {
    hooks: {
      name: 'caller',
      afterModel: ({ step }) =>
        step === 1
          ? {
              parts: [{ kind: 'call', modelCallId: 'z', name: 'look', argumentsText: '{}' }],
              finish: 'calls',
            }
          : undefined,
    },
  }),
  'beforeRun that answers': config([], { hooks: { name: 'early', beforeRun: () => 'hi' } }),
  'beforeModel that answers': config([], {
    hooks: { name: 'early', beforeModel: () => ({ answer: 'hi' }) },
  }),
  'beforeModel that hides tools': config(['end'], {
    hooks: { name: 'hider', beforeModel: () => ({ tools: ['look'] }) },
  }),
  'beforeRun that throws': config([], {
    hooks: {
      name: 'bad',
      beforeRun: () => {
        throw new Error('broken')
      },
    },
  }),
  'beforeTool that refuses': config([calling('look'), 'end'], {
    hooks: { name: 'no', beforeTool: () => ({ refuse: 'not today' }) },
  }),
  'beforeTool that gives a result': config([calling('look'), 'end'], {
    hooks: { name: 'mine', beforeTool: () => ({ result: 'mine' }) },
  }),
  'afterTool that changes a result': config([calling('look'), 'end'], {
    hooks: { name: 'loud', afterTool: () => ({ result: 'seen!' }) },
  }),
  'an input guardrail': config(['end'], { hooks: [inputGuardrail({ name: 'g', check: () => 'no' })] }),
  'a parallel input guardrail': config(['end'], {
    hooks: [inputGuardrail({ name: 'g', parallel: true, check: () => 'no' })],
  }),
  'an output guardrail at the second step': config([calling('look'), 'end'], {
    hooks: [outputGuardrail({ name: 'g', check: ({ step }) => (step === 2 ? 'no' : undefined) })],
  }),
  'onModelError that answers': config([{ error: 'bad' }], { onModelError: () => ({ answer: 'sorry' }) }),
  'onToolFailure fail': config([twoCalls], { onToolFailure: 'fail' }),
  'onToolFailure fail with calls one after the other': config([twoCalls], {
    onToolFailure: 'fail',
    tools: [looking({ parallel: false }), failing({ parallel: false })],
  }),
  'onToolFailure strict': config([{ calls: [{ name: 'look' }, { name: 'gone' }] }], {
    onToolFailure: 'strict',
  }),
  'onToolFailure that is a function': config([calling('break'), 'end'], { onToolFailure: () => 'fail' }),
  'onToolFailure strict and a person who declines': config([calling('send')], {
    onToolFailure: 'strict',
    approvals: () => ({ approved: false }),
    tools: [tool({ name: 'send', description: 'Sends', toolClass: 'external', execute: () => 'sent' })],
  }),
}

test.each(Object.entries(hooked))('the identical agent replays the same: %s', async (_what, each) => {
  const { said } = await replayed(agent(each))
  expect(said).toMatch(/^Everything is as it was recorded/)
})

test('a flow whose branch fails replays the same', async () => {
  const flow = parallel({
    name: 'both',
    branches: {
      bad: () => {
        throw new Error('broken')
      },
      good: () => 'good',
    },
  })
  const { said, status } = await replayed(flow)
  expect(status).toBe('failed')
  expect(said).toMatch(/^Everything is as it was recorded/)
})

describe('what the agent does otherwise by now', () => {
  test('no hook is run in a replay', async () => {
    const run: string[] = []
    const steps: Steps = [calling('look'), 'end']
    const noting = {
      name: 'noting',
      beforeRun: () => void run.push('beforeRun'),
      beforeModel: () => void run.push('beforeModel'),
      afterModel: () => void run.push('afterModel'),
      beforeTool: () => void run.push('beforeTool'),
      afterTool: () => void run.push('afterTool'),
      afterRun: () => void run.push('afterRun'),
      onEvent: () => void run.push('onEvent'),
    }
    await replayed(agent(config(steps)), agent(config(steps, { hooks: noting })))
    expect(run).toEqual([])
  })

  test('a rule that denies what a hook refused is a difference', async () => {
    const hooks = { name: 'no', beforeTool: () => ({ refuse: 'not today' }) }
    const steps: Steps = [calling('look'), 'end']
    const rules = [{ id: 'closed', tool: 'look', verdict: 'deny', reason: 'Closed.' }] as const
    const { said } = await replayed(agent(config(steps, { hooks })), agent(config(steps, { hooks, rules })))
    expect(said).toContain('is denied')
  })

  test('an agent that now ends its run over a failed call is a difference', async () => {
    const steps: Steps = [calling('break'), 'end']
    const { said } = await replayed(agent(config(steps)), agent(config(steps, { onToolFailure: 'fail' })))
    expect(said).toContain('The run ended as completed, and now it ends as failed.')
  })

  test('an agent that no longer ends its run over a failed call is a difference', async () => {
    const steps: Steps = [twoCalls]
    const { said } = await replayed(agent(config(steps, { onToolFailure: 'fail' })), agent(config(steps)))
    expect(said).not.toMatch(/^Everything/)
  })

  test('a tool that is gone is told, though a hook hides tools', async () => {
    const hooks = { name: 'hider', beforeModel: () => ({ tools: ['look'] }) }
    const { said } = await replayed(
      agent(config(['end'], { hooks })),
      agent(config(['end'], { hooks, tools: [breaking] })),
    )
    expect(said).toContain('- look (read, run)')
  })
})

test('the tokens of an answer that a guardrail discarded are no tokens of the step before', async () => {
  const usage = { inputTokens: 1 }
  const { cassette } = await replayed(
    agent(
      config(
        [
          { calls: [{ name: 'look' }], usage },
          { text: 'end', usage: { inputTokens: 7 } },
        ],
        {
          hooks: [outputGuardrail({ name: 'g', check: ({ step }) => (step === 2 ? 'no' : undefined) })],
        },
      ),
    ),
  )
  expect(cassette.runs[0]?.steps.map((step) => step.usage)).toEqual([usage])
})

describe('deep trees', () => {
  function nested(levels: number): ReturnType<typeof agent> {
    if (levels === 0) return agent(config(['leaf']))
    const below = agentTool(nested(levels - 1), { name: 'ask', description: 'Asks' })
    return agent(config([calling('ask', { input: 'x' }), 'end'], { name: `level-${levels}`, tools: [below] }))
  }

  test('agents sixteen levels deep are exported, read and replayed', async () => {
    const { said, status } = await replayed(nested(16))
    expect(status).toBe('completed')
    expect(said).toMatch(/^Everything is as it was recorded: 17 runs/)
  })

  test('a hand-over in a circle that ended at the limit of the tree is exported, read and replayed', async () => {
    const circle: ReturnType<typeof agent> = agent(
      config(() => calling('go'), {
        name: 'circle',
        tools: [tool({ name: 'go', description: 'Goes', toolClass: 'read', execute: () => circle })],
      }),
    )
    const { said, status } = await replayed(circle)
    expect(status).toBe('failed')
    expect(said).toMatch(/^Everything is as it was recorded/)
  })
})
