import type { Agent, RunResult, Session } from '../../src/index.ts'
import type { ManualClock } from '../../src/testing.ts'

/** What a run came to, and whether it had to be stopped. */
export interface Over {
  readonly session: Session
  readonly result: RunResult
  readonly wasStopped: boolean
}

/** More than ten bounds of a tool's side functions, one after another. */
const patienceMs = 120_000

/** Drives a run until it is over: first without any time passing, then with much of it, and at last by stopping it. */
export async function untilOver(agent: Agent, clock: ManualClock, mode?: 'ask' | 'auto'): Promise<Over> {
  const session = await agent.startSession(mode ?? {})
  const controller = new AbortController()
  let isOver = false
  const running = session.run('go', { signal: controller.signal }).finally(() => {
    isOver = true
  })
  running.catch(() => undefined)
  await clock.advance(0)
  for (let passed = 0; !isOver && passed < patienceMs; passed += 12_000) await clock.advance(12_000)
  const wasStopped = !isOver
  if (wasStopped) {
    controller.abort(new Error('Stopped by the test.'))
    await clock.advance(1_000)
  }
  return { session, result: await running, wasStopped }
}
