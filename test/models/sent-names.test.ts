import { describe, expect, test } from 'vitest'
import { lintProviders, lintTools } from '../../src/core/lint/lint-tools.ts'
import { agent, tool } from '../../src/index.ts'
import { getToolCalls, getToolResults } from '../../src/testing.ts'
import { wireServer } from '../../src/testing-wire.ts'
import { providerNames, providers } from './providers.ts'

/** Whatever a plain object answers to without having been given it. */
const members = Object.getOwnPropertyNames(Object.prototype)

const taken = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** The names of the tools of a request, in whichever of the three formats. */
function shownIn({ tools }: Record<string, unknown>): string[] {
  const listed = tools as { name?: string; function?: { name: string } }[]
  return listed.map((each) => each.function?.name ?? each.name ?? '')
}

describe.each(providerNames)('over %s', (provider) => {
  test.each(members)('a tool that is called "%s" is shown, called and answered', async (name) => {
    const { result, events, server, shown } = await callOnce(provider, name, ([shown = '']) => shown)
    await using _server = server
    expect(shown).toEqual([expect.stringMatching(taken)])
    expect(shown).not.toContain(name)
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(getToolCalls(events)).toMatchObject([{ name }])
    expect(getToolResults(events)).toMatchObject([{ name, result: `ran ${name}` }])
    expect(server.requests.map(({ refused }) => refused)).toEqual([undefined, undefined])
  })

  test.each(members)('a model that calls "%s", which it was not shown, is told so', async (name) => {
    const { result, events, server } = await callOnce(provider, 'look', () => name)
    await using _server = server
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(getToolResults(events)).toMatchObject([{ name, error: expect.stringContaining(name) }])
    expect(server.requests.map(({ refused }) => refused)).toEqual([undefined, undefined])
  })
})

async function callOnce(
  provider: (typeof providerNames)[number],
  name: string,
  choose: (shown: readonly string[]) => string,
) {
  let shown: readonly string[] = []
  const server = await wireServer({
    script: (body, stepNumber) => {
      if (stepNumber > 1) return 'Done.'
      shown = shownIn(body)
      return { calls: [{ name: choose(shown) }] }
    },
  })
  const described = tool({ name, description: 'Look', toolClass: 'read', execute: () => `ran ${name}` })
  const looker = agent({ name: 'looker', model: providers[provider](server.url), tools: [described] })
  const session = await looker.startSession()
  const result = await session.run('Go.')
  return { result, events: await session.events(), server, shown }
}

test.each(lintProviders)('the lint says that %s is sent another name for them', (provider) => {
  const tools = members.map((name) => ({ name, description: '', jsonSchema: { type: 'object' } }))
  const findings = lintTools(tools, provider).filter(({ pointer }) => pointer === '/name')
  expect(findings.map(({ tool: named, effect }) => [named, effect])).toEqual(
    members.map((name) => [name, 'changed']),
  )
  for (const { says, sentInstead } of findings) {
    expect(says).toContain('Every JavaScript object has a member of this name')
    expect(sentInstead).toMatch(taken)
  }
})
