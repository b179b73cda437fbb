import { expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  type DriverRequest,
  scriptedModel,
  type ToolClass,
  type ToolMode,
  tool,
} from '../../src/index.ts'
import { calling, play } from '../support/play.ts'

const look = (name: string, toolClass?: ToolClass) =>
  tool({
    name,
    description: `Does ${name}`,
    execute: () => 'done',
    ...(toolClass === undefined ? {} : { toolClass }),
  })

/** Starts an agent whose model only looks at what it is offered. */
function watching(config: Partial<AgentConfig>) {
  const offered: string[][] = []
  const model = scriptedModel((request: DriverRequest) => {
    offered.push(request.tools.map((each) => each.name))
    return 'seen'
  })
  return { made: agent({ name: 'a', model, ...config }), offered }
}

test('the stricter of the class of the tool and that of the contract holds [approvals/C1] [approvals/C2] [approvals/C3]', () => {
  const tools = [look('a', 'read'), look('b', 'destructive'), look('c')]
  const contract = {
    tools: { a: { toolClass: 'write' }, b: { toolClass: 'read' }, c: { toolClass: 'external' } },
  } as const
  const { made } = watching({ tools, contract })
  expect(made.tools.map(({ name, toolClass }) => [name, toolClass])).toEqual([
    ['a', 'write'],
    ['b', 'destructive'],
    ['c', 'external'],
  ])
})

test('a tool that a contract does not list is not offered, and a call of it is denied as contract [approvals/C5]', async () => {
  const tools = [look('listed', 'read'), look('new', 'read')]
  const contract = { tools: { listed: {} } }
  const { made, offered } = watching({ tools, contract })
  await (await made.startSession()).run('go')
  expect(offered).toEqual([['listed']])
  expect(made.tools.map(({ name }) => name)).toEqual(['listed'])
  const { calls } = await play({ tools, contract }, [calling('new')])
  expect(calls[0]?.end).toMatchObject({ status: 'refused', code: 'denied', category: 'contract' })
})

test('an empty contract restricts nothing [approvals/C6]', async () => {
  const { made, offered } = watching({
    tools: [look('a', 'read'), look('b', 'write')],
    contract: { tools: {} },
  })
  await (await made.startSession()).run('go')
  expect(offered).toEqual([['a', 'b']])
})

test('a tool that the mode hides is not offered; a call of it is denied as mode and nobody is asked [approvals/C7]', async () => {
  const tools = [look('look', 'read'), look('change', 'write')]
  const { made, offered } = watching({ tools })
  await (await made.startSession('read_only')).run('go')
  expect(offered).toEqual([['look']])
  let asked = 0
  const approvals = () => {
    asked += 1
    return { approved: true }
  }
  const { calls, told } = await play({ tools, approvals, mode: 'read_only' }, [calling('change')])
  expect(calls[0]?.end).toMatchObject({ code: 'denied', category: 'mode' })
  expect(told[0]).toMatch(/^Error: The tool "change" is not allowed/)
  expect(asked).toBe(0)
})

test('in mode off no tool is offered [approvals/C8]', async () => {
  const { made, offered } = watching({ tools: [look('look', 'read')] })
  await (await made.startSession('off')).run('go')
  expect(offered).toEqual([[]])
})

test('a new session is in mode ask [approvals/C9]', async () => {
  const { made } = watching({ tools: [] })
  expect((await made.startSession()).toolMode).toBe('ask')
})

test('the default mode can be made stricter, never wider [approvals/C10]', async () => {
  const strict = watching({ defaultToolMode: 'read_only' }).made
  const wide = watching({ defaultToolMode: 'auto' }).made
  expect((await strict.startSession()).toolMode).toBe('read_only')
  expect((await wide.startSession()).toolMode).toBe('ask')
})

test('the profile narrows the mode that runs are judged in, not the one that the person chose [approvals/C11]', async () => {
  const { made, offered } = watching({ tools: [look('change', 'write')], profile: { modeMax: 'read_only' } })
  const session = await made.startSession('auto')
  expect([session.toolMode, session.effectiveToolMode]).toEqual(['auto', 'read_only'])
  await session.run('go')
  expect(offered).toEqual([[]])
})

test('a mode set during a turn holds from the next turn on [approvals/C12]', async () => {
  const judged: string[] = []
  let session: Awaited<ReturnType<ReturnType<typeof agent>['startSession']>>
  const switching = tool({
    name: 'switch',
    description: 'Switches',
    toolClass: 'read',
    execute: () => {
      session.toolMode = 'auto'
    },
  })
  const change = tool({
    name: 'change',
    description: 'Changes',
    toolClass: 'write',
    execute: () => 'changed',
  })
  const model = scriptedModel([calling('switch'), calling('change'), 'one', calling('change'), 'two'])
  session = await agent({ name: 'a', model, tools: [switching, change] }).startSession()
  await session.run('go')
  await session.run('again')
  for (const call of session.state.calls.values()) judged.push(`${call.name} ${call.end?.status}`)
  expect(judged).toEqual(['switch completed', 'change refused', 'change completed'])
})

test('a mode that does not exist is refused by name', async () => {
  const { made } = watching({})
  const session = await made.startSession()
  expect(() => {
    session.toolMode = 'yolo' as ToolMode
  }).toThrowError(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  await expect(made.startSession('yolo' as ToolMode)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test("a developer's own function without a class runs where nothing governs the agent [tools-and-approvals/class-missing-bare]", async () => {
  const { told } = await play({ tools: [look('plain')] }, [calling('plain')])
  expect(told).toEqual(['done'])
})

test('a function without a class counts as destructive as soon as anything governs the agent [tools-and-approvals/class-missing]', async () => {
  const { calls, agent: made } = await play({ tools: [look('plain')], mode: 'ask' }, [calling('plain')])
  expect(calls[0]?.end).toMatchObject({ code: 'declined' })
  expect(made.tools[0]?.toolClass).toBe('destructive')
})

test('a class by arguments is offered by its loosest value and judged by the real one [tools-and-approvals/class-by-arguments]', async () => {
  const store = tool({
    name: 'store',
    description: 'Reads or writes',
    schema: { type: 'object', properties: { write: { type: 'boolean' } }, required: ['write'] },
    toolClass: ({ write }) => (write ? 'write' : 'read'),
    execute: () => 'done',
  })
  const { made, offered } = watching({ tools: [store] })
  await (await made.startSession('read_only')).run('go')
  expect(offered).toEqual([['store']])
  const { calls } = await play({ tools: [store], mode: 'read_only' }, [
    calling('store', { write: false }),
    calling('store', { write: true }),
  ])
  expect(calls.map((call) => call.end?.status)).toEqual(['completed', 'refused'])
})

test("a tool's check can make a verdict stricter, never looser; a throw is a no [tools-and-approvals/check-stricter]", async () => {
  const checked = (answer: () => unknown) =>
    tool({
      name: 'act',
      description: 'Acts',
      toolClass: 'write',
      check: answer as () => 'run',
      execute: () => 'acted',
    })
  const end = async (answer: () => unknown, mode: ToolMode) =>
    (await play({ tools: [checked(answer)], mode }, [calling('act')])).calls[0]?.end
  expect(await end(() => 'run', 'ask')).toMatchObject({ code: 'declined' })
  expect(await end(() => ({ verdict: 'deny', reason: 'not on Sundays' }), 'auto')).toMatchObject({
    code: 'denied',
    category: 'dynamic',
    message: expect.stringContaining('not on Sundays'),
  })
  const boom = () => {
    throw new Error('no database')
  }
  expect(await end(boom, 'auto')).toMatchObject({ code: 'denied', category: 'dynamic' })
  expect(await end(() => undefined, 'auto')).toMatchObject({ status: 'completed' })
})

test('tools named like inherited members are found, offered and governed like any other [faults/F9]', async () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  const tools = names.map((name) => look(name, 'write'))
  const { made, offered } = watching({ tools })
  await (await made.startSession()).run('go')
  expect(offered[0]).toEqual([...names].sort())
  const { calls } = await play({ tools, mode: 'ask' }, [{ calls: names.map((name) => ({ name })) }])
  expect(calls.map((call) => call.end)).toEqual(
    names.map(() => expect.objectContaining({ code: 'declined' })),
  )
  const missing = await play({ tools: [] }, [calling('constructor')])
  expect(missing.calls[0]?.end).toMatchObject({ code: 'unknown_tool' })
})
