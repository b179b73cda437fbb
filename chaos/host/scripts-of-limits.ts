import { asking, resultOf, reviewing } from './requests.ts'
import { carryOut, decisionOn, endsWell, expectError, type Script } from './script.ts'

const executions: Script = {
  name: 'one place for executions',
  setup: { executionsMax: 1 },
  executions: 2,
  async play(play) {
    const first = await play.start(asking('one'))
    await play.execution(first, 'first')
    const second = await play.start(asking('one', { onToolFailure: 'fail' }))
    expectError(play, await play.end(second), 'run.failed', 'TOOL_EXECUTOR_CAPACITY')
    await carryOut(play, first, 'first')
    await endsWell(play, first)
    const third = await play.start(asking('one'))
    await carryOut(play, third, 'first')
    await endsWell(play, third)
  },
}

const reviews: Script = {
  name: 'one place for reviews',
  setup: { approvalsMax: 1 },
  executions: 1,
  async play(play) {
    const first = await play.start(reviewing('one'))
    const asked = await play.approval(first, 'first')
    const second = await play.start(reviewing('one', { onToolFailure: 'fail' }))
    expectError(play, await play.end(second), 'run.failed', 'APPROVAL_CAPACITY')
    await play.decide(decisionOn(asked, 'approve'))
    await carryOut(play, first, 'first')
    await endsWell(play, first)
  },
}

const slot: Script = {
  name: 'room for one run at work',
  setup: { limits: { concurrentRuns: 1 } },
  executions: 2,
  async play(play) {
    const first = await play.start(asking('one'))
    await play.execution(first, 'first')
    const second = await play.start(asking('one'))
    await play.execution(second, 'first')
    for (const run of [first, second]) {
      await carryOut(play, run, 'first')
      await endsWell(play, run)
    }
  },
}

const idle: Script = {
  name: 'signs of life, and then none',
  executions: 1,
  async play(play) {
    const run = await play.start(asking('one', { idleTimeoutMs: 10_000 }))
    const execution = await play.execution(run, 'first')
    const { executionId, runId, call } = execution
    for (let report = 0; report < 2; report += 1) {
      await play.see('let some time pass', () => play.host.moveClock(6_000))
      const sign = () => play.post('/v1/tool-executions/progress', { executionId, runId, callId: call.id })
      const receipt = await play.ask('give a sign of life', sign)
      play.expect(receipt.status === 200, `the sign of life was refused: ${receipt.code}`)
    }
    await play.see('let too much time pass', () => play.host.moveClock(11_000))
    expectError(play, await play.end(run), 'run.cancelled', 'IDLE_TIMEOUT')
    const late = await play.ask('send a late result', () =>
      play.post('/v1/tool-executions/results', resultOf(execution)),
    )
    play.expect(late.code === 'TOOL_EXECUTION_NOT_FOUND', `the late result came to ${late.code}`)
  },
}

/** Hosts that have little room, and runs that have little time. */
export const scriptsOfLimits: readonly Script[] = [executions, reviews, slot, idle]
