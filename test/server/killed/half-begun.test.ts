import { expect, test } from 'vitest'
import { memoryStore } from '../../../src/index.ts'
import { Journal } from '../../../src/runtime/journal.ts'
import { keyedIds } from '../../../src/server/runs/keyed-ids.ts'
import { hostAgentName } from '../../../src/server/runs/run-agent.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { reportToolProgress } from '../../../src/server/tickets/report-tool-progress.ts'
import { beside, embeddedHost, eventually, request } from '../support/embedded-host.ts'

test('a key whose host died between the session and its run can still be used', async () => {
  const store = memoryStore()
  const host = embeddedHost({ store })
  const keyed = { ...request, idempotencyKey: 'order-1' }
  const { session = '' } = keyedIds(host.parts.ids, 'local', keyed)
  const journal = new Journal(store, session, host.clock)
  await journal.write(() => [{ type: 'session.started', session, subject: 'local', agent: hostAgentName }])
  const run = await host.start(keyed)
  await run.first('tool.execution.requested')
  run.close()
})

test('a run whose application gave a sign of life before the crash is not idle after it', async () => {
  const store = memoryStore()
  const host = embeddedHost({ store })
  const run = await host.start({ ...request, idleTimeoutMs: 10_000, onDisconnect: 'keep' })
  const { execution } = await run.first('tool.execution.requested')
  const { executionId, runId, call } = execution
  const identity = { executionId, runId, callId: call.id }
  await host.clock.advance(6_000)
  await reportToolProgress(host, identity, {})
  await host.clock.advance(6_000)
  const next = beside(host, store)
  await next.runs.recover()
  await eventually(() => next.runs.liveRun(runId))
  await completeTool(next, { ...identity, output: 'found' }, {})
  await next.runs.liveRun(runId)?.done
  const status = await next.runs.find(runId, {})
  expect(status.session.state.runs.get(runId)?.ended?.status).toBe('completed')
})
