import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  type ApplicationToolConfig,
  agent,
  applicationTool,
  type Contract,
  scriptedModel,
  type ToolMode,
  type Verdict,
} from '../../../src/index.ts'

const plain: ApplicationToolConfig = {
  name: 'look_up',
  description: 'Looks a customer up',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  requiresApproval: false,
}

async function verdictOf(
  requiresApproval: boolean,
  config: Partial<AgentConfig> = {},
  mode?: ToolMode,
): Promise<Verdict> {
  const tools = [applicationTool({ ...plain, requiresApproval })]
  const made = agent({ name: 'a', model: scriptedModel(['x']), tools, ...config })
  const { decision } = await made.explain('look_up', { id: 1 }, mode === undefined ? {} : { mode })
  return decision.verdict
}

describe("an application's tool", () => {
  test('hands its calls out, has no class, and lets no argument be converted', async () => {
    const made = applicationTool(plain)
    expect(made).toMatchObject({ source: { kind: 'application' }, executor: { handsOut: true } })
    expect(made.toolClass).toBeUndefined()
    expect(await made.schema.check({ id: '1' })).toMatchObject({ ok: false })
    expect(await made.schema.check({ id: 1 })).toMatchObject({ ok: true })
  })

  test('is another one by its name, description and schemas, and the same whoever reviews it', () => {
    const { version } = applicationTool(plain)
    expect(applicationTool({ ...plain, requiresApproval: true }).version).toBe(version)
    for (const other of [
      { name: 'other' },
      { description: 'Another' },
      { inputSchema: { type: 'object' } },
      { outputSchema: { type: 'object' } },
    ] as const)
      expect(applicationTool({ ...plain, ...other }).version).not.toBe(version)
  })

  test('is refused with every fault of its configuration', () => {
    const faulty = { name: 'no spaces', description: ' ', coercion: 'lossless', requiresApproval: 'no' }
    const build = () => applicationTool(faulty as unknown as ApplicationToolConfig)
    expect(build).toThrow(/"coercion".*"name".*"description".*"inputSchema".*"requiresApproval"/s)
    expect(() => applicationTool(undefined as never)).toThrow('must be an object')
    expect(() => applicationTool({ ...plain, inputSchema: { type: 'nothing' } as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_SCHEMA' }),
    )
    expect(() => applicationTool({ ...plain, outputSchema: { $ref: '#/none' } })).toThrow(
      expect.objectContaining({ code: 'INVALID_SCHEMA' }),
    )
  })

  test('entered without anybody who hands calls out, it says that nothing was done', async () => {
    const { executor } = applicationTool(plain)
    const call = { id: 'c', name: 'look_up', claim: 1, args: {}, digest: '' }
    expect(await executor.execute(call, {} as never)).toMatchObject({
      status: 'failed',
      code: 'not_handed_out',
    })
  })
})

describe("the review of an application's tool", () => {
  const approvals = () => ({ approved: true })

  test.each([
    [false, 'run'],
    [true, 'ask'],
  ] as const)(
    'that is wanted: %s, is its base verdict: %s, where nothing else is set up',
    async (wants, verdict) => {
      expect(await verdictOf(wants)).toBe(verdict)
    },
  )

  test.each([
    ['ask', false, 'run'],
    ['ask', true, 'ask'],
    ['auto', false, 'run'],
    ['auto', true, 'ask'],
    ['read_only', false, 'deny'],
    ['off', true, 'deny'],
  ] as const)(
    'in the mode %s, wanted: %s, comes to %s: a mode hides, and does not ask',
    async (mode, wants, verdict) => {
      expect(await verdictOf(wants, { approvals }, mode)).toBe(verdict)
    },
  )

  test('is overridden by every stricter layer', async () => {
    const contract: Contract = { tools: { other: {} } }
    expect(await verdictOf(false, { contract })).toBe('deny')
    const rules = [{ id: 'r', tool: 'look_up', verdict: 'ask', reason: 'because' }] as const
    expect(await verdictOf(false, { rules })).toBe('ask')
  })
})
