import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bounds, parentFacts } from '../../src/core/policy/bounds.ts'
import { evaluate } from '../../src/core/policy/evaluate.ts'
import type { PolicyFacts } from '../../src/core/policy/facts.ts'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  memoryStore,
  scriptedModel,
  type Tool,
  type ToolClass,
  type ToolMode,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { calling } from '../support/play.ts'
import { classes, modes, verdictOrder } from '../surviving/laws/policy-facts.ts'

const toolNames = ['save', 'look'] as const

const rule = fc.record({
  id: fc.constant('r'),
  tool: fc.constantFrom(...toolNames, '*'),
  verdict: fc.constantFrom('ask' as const, 'deny' as const),
  reason: fc.constant('So it is.'),
})
const contract = fc.record({
  tools: fc.dictionary(fc.constantFrom(...toolNames), fc.record({ toolClass: classes }), { maxKeys: 2 }),
})
const profile = fc.record({ modeMax: modes, tools: fc.subarray([...toolNames]) }, { requiredKeys: [] })
const layers = fc.record(
  {
    mode: modes,
    rules: fc.array(rule, { maxLength: 2 }),
    contract,
    profile,
    killed: fc.array(fc.record({ kind: fc.constant('tool' as const), name: fc.constantFrom(...toolNames) }), {
      maxLength: 1,
    }),
    governed: fc.boolean(),
  },
  { requiredKeys: ['governed'] },
)
const bounds = fc
  .array(layers, { minLength: 1, maxLength: 3 })
  .map((above) =>
    above.reduce<Bounds | undefined>(
      (parent, own) => ({ ...own, agent: 'a', ...(parent === undefined ? {} : { parent }) }),
      undefined,
    ),
  )
const judged = fc.record({
  name: fc.constantFrom(...toolNames),
  declaredClass: fc.option(classes, { nil: undefined }),
  developer: fc.boolean(),
})

function factsOf({
  name,
  declaredClass,
  developer,
}: {
  name: string
  declaredClass: ToolClass | undefined
  developer: boolean
}) {
  const source = { kind: developer ? 'function' : 'mcp', trusted: true }
  const given = declaredClass === undefined ? {} : { declaredClass }
  return { name, version: 'v', source, developer, ...given }
}

test('a child is never freer than any agent above it, whatever their layers and modes [tools-and-approvals/parent-layer]', () => {
  fc.assert(
    fc.property(bounds, layers, judged, (above, own, about) => {
      const facts: PolicyFacts = { ...own, tool: factsOf(about), call: { args: {}, digest: 'd' } }
      const { verdict } = evaluate({ ...facts, parent: parentFacts(above as Bounds, facts) })
      for (let each = above; each !== undefined; each = each.parent) {
        const { parent: _parent, agent: _agent, ...theirs } = each
        const itself = evaluate({ ...theirs, tool: facts.tool, ...(facts.call && { call: facts.call }) })
        expect(verdictOrder.indexOf(verdict)).toBeGreaterThanOrEqual(verdictOrder.indexOf(itself.verdict))
      }
    }),
    { numRuns: 2_000 },
  )
})

test("a child's mode is never wider than that of any agent above it", () => {
  fc.assert(
    fc.property(fc.array(modes, { minLength: 1, maxLength: 3 }), modes, classes, (above, mode, toolClass) => {
      const chain = above.reduce<Bounds | undefined>(
        (parent, each) => ({
          governed: true,
          mode: each,
          agent: 'a',
          ...(parent === undefined ? {} : { parent }),
        }),
        undefined,
      )
      const facts: PolicyFacts = {
        governed: true,
        mode,
        tool: factsOf({ name: 'save', declaredClass: toolClass, developer: true }),
      }
      const judged = evaluate({ ...facts, parent: parentFacts(chain as Bounds, facts) })
      const order = ['off', 'read_only', 'ask', 'auto']
      for (const each of above)
        expect(order.indexOf(judged.mode as ToolMode)).toBeLessThanOrEqual(order.indexOf(each))
    }),
  )
})

function saving(toolClass: ToolClass): Tool {
  return tool({ name: 'save', description: 'Saves', toolClass, execute: () => 'saved' })
}

/** An agent whose child calls `save`, and what became of that call. */
async function played(
  over: Partial<AgentConfig>,
  mode: ToolMode | undefined,
  child: Partial<AgentConfig> = {},
) {
  const store = memoryStore()
  const make = (
    name: string,
    tools: readonly Tool[],
    script: readonly ScriptStep[],
    options: object,
  ): Agent =>
    agent({ name, model: scriptedModel([...script, 'done'], { fromHistory: true }), tools, ...options })
  const helper = make('helper', [saving('write')], [calling('save')], child)
  const helping = agentTool(helper, { name: 'helper', description: 'Helps' })
  const boss = make('boss', [helping], [calling('helper', { input: 'go' })], { store, ...over })
  const session = await boss.startSession(mode === undefined ? {} : { mode })
  await session.run('go')
  const [call] = session.state.calls.values()
  const below = await boss.openSession(`${call?.id}.0`)
  return {
    boss,
    store,
    below,
    end: [...below.state.calls.values()][0]?.end,
    mode: [...below.state.runs.values()][0]?.mode,
  }
}

test('a child has the mode of the run above, and is denied what that denies', async () => {
  expect(await played({}, 'auto')).toMatchObject({ mode: 'auto', end: { status: 'completed' } })
  expect(await played({}, 'read_only')).toMatchObject({ mode: 'read_only', end: { status: 'refused' } })
  const narrow = await played({}, 'auto', { defaultToolMode: 'read_only' })
  expect(narrow).toMatchObject({ mode: 'read_only', end: { status: 'refused' } })
})

test('an agent whose administrator lists other tools lends none to its child', async () => {
  const listed = await played({ contract: { tools: { helper: { toolClass: 'read' } } } }, 'auto')
  expect(listed.end).toMatchObject({ status: 'refused', code: 'denied', category: 'parent' })
})

test('a child that is taken up by itself is bound by what its log says of the agents above', async () => {
  const rules = [{ id: 'r', tool: 'save', verdict: 'deny', reason: 'Not this.' }] as const
  const { below, store } = await played({ rules }, 'auto')
  const again = agent({
    name: 'helper',
    model: scriptedModel([calling('save'), 'done']),
    tools: [saving('write')],
    store,
  })
  const session = await again.openSession(below.id)
  await session.run('once more')
  const calls = [...session.state.calls.values()]
  expect(calls).toHaveLength(2)
  expect(calls[1]?.end).toMatchObject({ status: 'refused', category: 'parent' })
})
