import { asking, failureOf, resultOf } from './requests.ts'
import { carryOut, endsWell, expectError, type Script } from './script.ts'

const progress: Script = {
  name: 'a result, after reports of progress',
  executions: 1,
  async play(play) {
    const run = await play.start(asking('one'))
    const { executionId, runId, call } = await play.execution(run, 'first')
    for (const fraction of [0.25, 0.75]) {
      const report = { executionId, runId, callId: call.id, fraction }
      const receipt = await play.ask('report progress', () =>
        play.post('/v1/tool-executions/progress', report),
      )
      play.expect(receipt.status === 200, `progress was refused: ${receipt.code}`)
    }
    await carryOut(play, run, 'first')
    await endsWell(play, run)
  },
}

const kept: Script = {
  name: 'two calls, one after the other, in a run that is kept',
  executions: 2,
  async play(play) {
    const run = await play.start(asking('two', { onDisconnect: 'keep' }))
    await carryOut(play, run, 'first')
    await carryOut(play, run, 'second')
    await endsWell(play, run)
  },
}

const pair: Script = {
  name: 'two calls of one answer',
  executions: 2,
  async play(play) {
    const run = await play.start(asking('pair'))
    await carryOut(play, run, 'first')
    await carryOut(play, run, 'second')
    await endsWell(play, run)
  },
}

const failed: Script = {
  name: 'a failure that ends the run',
  executions: 1,
  async play(play) {
    const run = await play.start(asking('one', { onToolFailure: 'fail' }))
    const receipt = await play.result(failureOf(await play.execution(run, 'first')))
    play.expect(receipt.status === 200, `the failure was refused: ${receipt.code}`)
    expectError(play, await play.end(run), 'run.failed', 'TOOL_OUTCOME_UNCERTAIN')
  },
}

const told: Script = {
  name: 'a failure that the model is told',
  executions: 1,
  async play(play) {
    const run = await play.start(asking('one'))
    await play.result(failureOf(await play.execution(run, 'first')))
    const failure = await play.see('see the failure', () => run.first('tool.failed'))
    play.expect(failure.code === 'TOOL_OUTCOME_UNCERTAIN', `the failure is ${failure.code}`)
    await endsWell(play, run)
  },
}

const cancelled: Script = {
  name: 'a run that is cancelled while its function runs',
  executions: 1,
  async play(play) {
    const run = await play.start(asking('one'))
    const execution = await play.execution(run, 'first')
    const answer = await play.ask('cancel', () => play.post(`/v1/runs/${run.runId}/cancel`, {}))
    play.expect(answer.status === 200, `the run was not cancelled: ${answer.code}`)
    expectError(play, await play.end(run), 'run.cancelled', 'CANCELLED')
    const late = await play.ask('send a late result', () =>
      play.post('/v1/tool-executions/results', resultOf(execution)),
    )
    play.expect(late.code === 'TOOL_EXECUTION_NOT_FOUND', `the late result came to ${late.code}`)
  },
}

/** Calls that are handed out, and what may come of them. */
export const scriptsOfCalls: readonly Script[] = [progress, kept, pair, failed, told, cancelled]
