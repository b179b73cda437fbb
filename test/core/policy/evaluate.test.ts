import { describe, expect, test } from 'vitest'
import { toolClasses } from '../../../src/core/policy/class.ts'
import { decideTool } from '../../../src/core/policy/decide-tool.ts'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import type { PolicyFacts, ToolFacts } from '../../../src/core/policy/facts.ts'
import { layerNames } from '../../../src/core/policy/layers.ts'
import { toolModes } from '../../../src/core/policy/mode.ts'
import { callOf, factsOf } from './facts-of.ts'

test('without other layers the decision is what the table says of mode and class', () => {
  for (const mode of toolModes) {
    for (const declaredClass of toolClasses) {
      const expected = decideTool(mode, declaredClass)
      const decision = evaluate(factsOf({ declaredClass }, { mode }))
      expect(decision.verdict).toBe(expected === 'hidden' ? 'deny' : expected)
      expect(decision.category).toBe(expected === 'hidden' ? 'mode' : undefined)
    }
  }
})

describe('the class', () => {
  test('a tool without any class counts as destructive', () => {
    const decision = evaluate(factsOf({}, { mode: 'auto' }))
    expect(decision).toMatchObject({ toolClass: 'destructive', verdict: 'ask' })
    expect(decision.trace[0]?.reason).toBe('Nobody gave the tool a class, so it counts as destructive.')
  })

  test('the arguments may make the class stricter, never looser', () => {
    const strict = evaluate(
      factsOf({ declaredClass: 'read', callClass: 'write', classByArguments: true }, callOf({})),
    )
    const loose = evaluate(factsOf({ declaredClass: 'write', callClass: 'read' }, callOf({})))
    expect([strict.toolClass, loose.toolClass]).toEqual(['write', 'write'])
  })

  test('a class by arguments that nobody worked out for the call is destructive', () => {
    const facts = factsOf({ declaredClass: 'read', classByArguments: true }, { mode: 'auto', ...callOf({}) })
    expect(evaluate(facts).toolClass).toBe('destructive')
  })
})

describe('the mode', () => {
  test('a governed agent for which nobody chose a mode asks', () => {
    const decision = evaluate(factsOf({ declaredClass: 'write' }))
    expect(decision).toMatchObject({ verdict: 'ask', mode: 'ask' })
    expect(decision.reason).toBe('Nobody chose a mode, so it is ask, which asks about write tools.')
  })

  test('the profile and the parent narrow it and never widen it', () => {
    const modeOf = (rest: Partial<PolicyFacts>) => evaluate(factsOf({ declaredClass: 'read' }, rest)).mode
    expect(modeOf({ mode: 'auto', profile: { modeMax: 'read_only' } })).toBe('read_only')
    expect(modeOf({ mode: 'read_only', profile: { modeMax: 'auto' } })).toBe('read_only')
    expect(
      modeOf({ mode: 'auto', profile: { modeMax: 'ask' }, parent: { verdict: 'run', modeMax: 'off' } }),
    ).toBe('off')
    expect(modeOf({ profile: { modeMax: 'auto' } })).toBe('ask')
  })

  test('the reason says who narrowed it', () => {
    const decision = evaluate(
      factsOf({ declaredClass: 'write' }, { mode: 'auto', profile: { modeMax: 'read_only' } }),
    )
    expect(decision.reason).toBe('The profile narrows the mode to read_only, which hides write tools.')
  })
})

describe('an ungoverned agent', () => {
  const ungoverned = (tool: Partial<ToolFacts> = {}, rest: Partial<PolicyFacts> = {}) =>
    evaluate(factsOf(tool, { governed: false, ...rest }))

  test("runs its developer's own functions that have no class", () => {
    const decision = ungoverned()
    expect(decision.verdict).toBe('run')
    expect(decision.mode).toBeUndefined()
    expect(decision.trace.map(({ layer }) => layer)).toEqual(['tool'])
  })

  test('treats a function with a class, and every tool from elsewhere, by the table', () => {
    expect(ungoverned({ declaredClass: 'write' }).verdict).toBe('ask')
    expect(ungoverned({ developer: false }).verdict).toBe('ask')
    expect(ungoverned({ declaredClass: 'read' }).verdict).toBe('run')
  })

  test('is governed as soon as a mode, a profile or a contract is there', () => {
    expect(ungoverned({}, { mode: 'auto' }).verdict).toBe('ask')
    expect(ungoverned({}, { profile: {} }).verdict).toBe('ask')
    expect(ungoverned({}, { contract: { tools: {} } }).verdict).toBe('ask')
    expect(ungoverned({}, { parent: { verdict: 'run', modeMax: 'off' } }).verdict).toBe('deny')
  })

  test('still heeds every stricter layer', () => {
    expect(ungoverned({ ask: true }).verdict).toBe('ask')
    expect(ungoverned({}, { killed: [{ kind: 'tool', name: 'look' }] }).category).toBe('kill')
    expect(ungoverned({}, { grant: { subject: 'ada', classMax: 'write' } }).category).toBe('grant')
    expect(ungoverned({}, { check: { verdict: 'deny' } }).category).toBe('dynamic')
    expect(ungoverned({}, { parent: { verdict: 'deny' } }).category).toBe('parent')
    expect(ungoverned({}, { rules: [{ id: 'r', tool: '*', verdict: 'ask', reason: 'Ask.' }] }).verdict).toBe(
      'ask',
    )
  })
})

test('deny beats every other verdict, and the first layer that denies gives the category', () => {
  const decision = evaluate(
    factsOf(
      { declaredClass: 'external', ask: true },
      {
        mode: 'auto',
        rules: [{ id: 'r1', tool: 'look', verdict: 'deny', reason: 'Not on Sundays.' }],
        check: { verdict: 'deny', reason: 'Too much.' },
        parent: { verdict: 'run' },
        remembered: [
          {
            tool: 'look',
            version: 'v1',
            toolClass: 'external',
            approved: true,
            ticket: 't',
            by: 'ada',
            at: 0,
          },
        ],
      },
    ),
  )
  expect(decision).toMatchObject({ verdict: 'deny', category: 'rule', reason: 'Not on Sundays.' })
  expect(decision.remembered).toBeUndefined()
})

describe('what is not known is refused', () => {
  const unknown = (tool: object, rest: object = {}) =>
    evaluate(factsOf(tool as Partial<ToolFacts>, { mode: 'auto', ...rest } as Partial<PolicyFacts>))
  const read = { declaredClass: 'read' }

  test.each([
    ['a class', unknown({ declaredClass: 'harmless' })],
    ['a class for the call', unknown({ declaredClass: 'read', callClass: 'toString' })],
    ['a mode', unknown(read, { mode: 'bypass' })],
    ['no mode at all, but null', unknown(read, { mode: null })],
    ['a mode of the profile', unknown(read, { profile: { modeMax: 'widest' } })],
    ['a mode of the parent', unknown(read, { parent: { verdict: 'run', modeMax: 'widest' } })],
    ['a class of the parent', unknown(read, { parent: { verdict: 'run', toolClassMax: 'any' } })],
    ['a verdict of the parent', unknown(read, { parent: { verdict: 'allow' } })],
    ['a class of the contract', unknown(read, { contract: { tools: { look: { toolClass: 'any' } } } })],
    ['a layer that could not be read', unknown(read, { unreachable: ['rules'] })],
    ['a layer nobody has heard of', unknown(read, { unreachable: ['weather'] })],
  ])('%s', (_what, decision) => {
    expect(decision).toMatchObject({ verdict: 'deny', category: 'unknown' })
  })

  test.each([
    ['a class of the grant', unknown(read, { grant: { subject: 'ada', classMax: 'any' } }), 'grant'],
    [
      'a verdict of a rule',
      unknown(read, { rules: [{ id: 'r', tool: 'look', verdict: 'allow', reason: '.' }] }),
      'rule',
    ],
    ['a verdict of the check', unknown(read, { check: { verdict: 'maybe' } }), 'dynamic'],
    ['a check that failed', unknown(read, { check: { failed: 'timed out' } }), 'dynamic'],
    ['a kind of stop', unknown(read, { killed: [{ kind: 'planet', name: 'x' }] }), 'kill'],
  ])('%s', (_what, decision, category) => {
    expect(decision).toMatchObject({ verdict: 'deny', category })
  })
})

test('the trace names every layer that had something to say, in order, each with a sentence', () => {
  const decision = evaluate(
    factsOf(
      {
        declaredClass: 'read',
        source: { kind: 'mcp', name: 'docs', trusted: false, hints: { readOnly: false } },
      },
      {
        ...callOf({ to: 'ada' }),
        mode: 'auto',
        principal: 'ada',
        killed: [{ kind: 'principal', name: 'ada', reason: 'left the company' }],
        contract: { tools: { look: { toolClass: 'external' } } },
        rules: [{ id: 'r1', tool: '*', verdict: 'ask', reason: 'Mail is asked about.' }],
        profile: { modeMax: 'ask' },
        grant: { subject: 'ada', classMax: 'read' },
        parent: { verdict: 'ask' },
        check: { verdict: 'ask', reason: 'The address is new.' },
      },
    ),
  )
  expect(decision.trace.map(({ layer, reason }) => [layer, reason])).toEqual([
    ['kill-list', 'The operator has stopped this principal: left the company'],
    ['tool', "The tool's class is read."],
    ['source', 'The untrusted source hints that the tool is write.'],
    ['contract', 'The contract lists the tool as external or stricter.'],
    ['rules', 'Mail is asked about.'],
    ['profile', 'The profile allows no mode wider than ask.'],
    ['mode', 'The profile narrows the mode to ask, which asks about external tools.'],
    ['grant', 'The grant allows tools up to class read, and this one is external.'],
    ['parent', 'The parent has to ask about this itself.'],
    ['check', 'The address is new.'],
  ])
  expect([...decision.trace.map(({ layer }) => layer), 'remembered']).toEqual(layerNames)
})

test('a decision is plain data that survives JSON', () => {
  const decision = evaluate(factsOf({ declaredClass: 'write', remember: 'none' }, { mode: 'read_only' }))
  expect(JSON.parse(JSON.stringify(decision))).toEqual(decision)
})
