import { describe, expect, test } from 'vitest'
import { toolSchema } from '../../../src/core/schema/schema.ts'
import { scriptedModel } from '../../../src/index.ts'
import { wireBounds } from '../../../src/protocol/bounds.ts'
import { protocolInfoBody } from '../../../src/protocol/host/protocol-info.ts'
import { providerListBody } from '../../../src/protocol/host/provider-list.ts'
import { parseBody } from '../../../src/protocol/parse-body.ts'
import { protocolInfo } from '../../../src/server/discovery/protocol-info.ts'
import { providerList } from '../../../src/server/discovery/provider-list.ts'
import { embeddedHost, worker } from '../support/embedded-host.ts'

const model = scriptedModel([])
const bare = { providers: { double: { models: { small: model } } } }

describe('what a host says of itself', () => {
  test('is what it was made with, and no more', () => {
    const little = protocolInfo({ ...bare, sessions: false }, {})
    for (const feature of [
      'application-tools',
      'execution-stream',
      'interactive-approvals',
      'conversation-sessions',
    ])
      expect(little.features).not.toContain(feature)
    expect(little.features).toContain('event-resume')
    expect(little.limits).not.toHaveProperty('pendingExecutionsMax')
    expect(little.limits).not.toHaveProperty('runRetentionMs')
    const much = protocolInfo(
      {
        ...bare,
        applicationTools: { enabled: true, maxPending: 7 },
        approvals: { interactive: true },
        limits: {
          ...{ stepsMax: 12, idleTimeoutMs: 60_000, queue: { total: 5, perSubject: 2 } },
          ...{ runRetentionMs: 90_000, sessionRetentionMs: 120_000 },
        },
      },
      {},
    )
    for (const feature of ['application-tools', 'result-keys', 'approval-inbox', 'conversation-sessions'])
      expect(much.features).toContain(feature)
    expect(much.limits).toMatchObject({
      ...{ ...wireBounds, stepsMax: 12, idleTimeoutMs: 60_000, queuedRunsMax: 5, pendingExecutionsMax: 7 },
      ...{ pendingApprovalsMax: 1_000, concurrentRunsMax: 32 },
      ...{ runRetentionMs: 90_000, sessionRetentionMs: 120_000 },
      ...{ streamsMax: 10_000, streamsPerSubjectMax: 2_000 },
    })
    const few = protocolInfo({ ...bare, limits: { streams: 9, streamsPerSubject: 20 } }, {})
    expect(few.limits).toMatchObject({ streamsMax: 9, streamsPerSubjectMax: 9 })
    for (const each of [little, much]) expect(parseBody(protocolInfoBody, each)).toMatchObject({ ok: true })
  })

  test('names features in one order, those that it has [application-tools/wire-discovery]', () => {
    const much = { applicationTools: { enabled: true }, approvals: { interactive: true } }
    const all = protocolInfo({ ...bare, ...much }, {}).features
    expect(all).toEqual([
      ...['json-results', 'conversation-sessions', 'application-tools', 'interactive-approvals'],
      ...['event-stream', 'event-resume', 'cancel-on-disconnect', 'optional-idle-timeout'],
      ...['required-capabilities', 'optional-events', 'provider-discovery', 'idempotency'],
      ...['execution-status', 'execution-stream', 'result-keys', 'approval-inbox', 'edited-arguments'],
      ...['run-status', 'reconciliation'],
    ])
    const { features } = protocolInfo({ ...bare, sessions: false }, {})
    expect(features).toEqual(all.filter((feature) => features.includes(feature)))
    expect(features).toEqual(expect.not.arrayContaining(['application-tools', 'interactive-approvals']))
  })

  test('bounds open executions and open reviews at 1,000 each, and says so [application-tools/limit-pending-default]', () => {
    const much = { applicationTools: { enabled: true }, approvals: { interactive: true } }
    const { options, runs } = embeddedHost({ options: much })
    expect(protocolInfo(options, {}).limits).toMatchObject({
      ...{ pendingExecutionsMax: 1_000, pendingApprovalsMax: 1_000 },
    })
    for (const capacity of [runs.executions, runs.approvals]) {
      const taken = Array.from({ length: 1_001 }, (_, index) => capacity.take(`${index}`, 'ann'))
      expect(taken.indexOf(false)).toBe(1_000)
      capacity.giveBack('0')
      expect(capacity.take('1000', 'ann')).toBe(true)
    }
  })

  test('names dialects that schemas can be written in', () => {
    for (const $schema of protocolInfo(bare, {}).dialects)
      expect(toolSchema({ $schema, type: 'object' })).toBeDefined()
  })

  test('says what the caller may do: all of it to who is not held to grants', () => {
    const who = worker('ann', { providers: ['double'] })
    expect(protocolInfo(bare, who).grants).toEqual(who.access)
    expect(protocolInfo(bare, {}).grants).toMatchObject({ providers: ['*'], administration: false })
  })
})

test('providers are listed for who may use them; models that a function makes are not known', () => {
  const options = {
    providers: { ...bare.providers, made: { models: () => model, capabilities: { tools: false } } },
  }
  const { providers } = providerList(options, {})
  expect(providers).toEqual([
    {
      ...{ provider: 'double', models: ['small'], modelsComplete: true, health: { status: 'unknown' } },
      capabilities: { tools: true, textStreaming: true },
    },
    {
      ...{ provider: 'made', models: [], modelsComplete: false, health: { status: 'unknown' } },
      capabilities: { tools: false },
    },
  ])
  expect(parseBody(providerListBody, { providers })).toMatchObject({ ok: true })
  expect(providerList(options, worker('ann', { providers: ['made'] })).providers).toMatchObject([
    { provider: 'made' },
  ])
  expect(providerList(options, worker('ann', { providers: [] })).providers).toEqual([])
})
