import { reviewing } from './requests.ts'
import { carryOut, decisionOn, endsWell, expectError, type Script } from './script.ts'

const approved: Script = {
  name: 'a review, approved',
  executions: 1,
  async play(play) {
    const run = await play.start(reviewing('one'))
    const asked = await play.approval(run, 'first')
    play.expect(play.witness.read().length === 0, 'the function ran before it was approved')
    await play.decide(decisionOn(asked, 'approve'))
    const { resolution } = await play.see('see the decision', () => run.first('approval.resolved'))
    play.expect(resolution.outcome === 'approved', `the ask is ${resolution.outcome}`)
    await carryOut(play, run, 'first')
    await endsWell(play, run)
  },
}

const denied: Script = {
  name: 'a review, denied',
  executions: 0,
  async play(play) {
    const run = await play.start(reviewing('one', { onToolFailure: 'fail' }))
    await play.decide(decisionOn(await play.approval(run, 'first'), 'deny'))
    expectError(play, await play.end(run), 'run.failed', 'APPROVAL_DENIED')
  },
}

const cancelledReview: Script = {
  name: 'a review, cancelled',
  executions: 0,
  async play(play) {
    const run = await play.start(reviewing('one'))
    await play.decide(decisionOn(await play.approval(run, 'first'), 'cancel'))
    expectError(play, await play.end(run), 'run.cancelled', 'CANCELLED')
  },
}

const expired: Script = {
  name: 'a review that nobody decides in time',
  executions: 0,
  async play(play) {
    const approvals = { mode: 'interactive', idlePolicy: 'pause', expiresAfterMs: 5_000 } as const
    const run = await play.start(reviewing('one', { approvals, onToolFailure: 'fail' }))
    const asked = await play.approval(run, 'first')
    await play.see('let the time run out', () => play.host.moveClock(6_000))
    expectError(play, await play.end(run), 'run.failed', 'APPROVAL_EXPIRED')
    const late = await play.ask('decide too late', () =>
      play.post('/v1/approvals/decisions', decisionOn(asked, 'approve')),
    )
    play.expect(late.code === 'APPROVAL_NOT_FOUND', `the late decision came to ${late.code}`)
  },
}

const paused: Script = {
  name: 'a review that stops the idle clock for an hour',
  executions: 1,
  async play(play) {
    const run = await play.start(reviewing('one', { idleTimeoutMs: 10_000 }))
    const asked = await play.approval(run, 'first')
    await play.see('let an hour pass', () => play.host.moveClock(3_600_000))
    await play.decide(decisionOn(asked, 'approve'))
    await carryOut(play, run, 'first')
    await endsWell(play, run)
  },
}

/** Calls that a person is asked about. */
export const scriptsOfReviews: readonly Script[] = [approved, denied, cancelledReview, expired, paused]
