import type { RunPage, SessionSnapshot } from '../../src/host.ts'
import type { FollowedRun } from './followed-run.ts'
import type { Play } from './play.ts'
import { asking } from './requests.ts'
import { carryOut, endsWell, type Script } from './script.ts'

const keyed: Script = {
  name: 'a run with a key, replayed',
  executions: 1,
  async play(play) {
    const request = asking('one', { idempotencyKey: 'order-1', onDisconnect: 'keep' })
    const run = await play.start(request)
    await play.execution(run, 'first')
    const meanwhile = await play.refusedRun(request)
    play.expect(meanwhile === 'OPERATION_IN_PROGRESS', `the key meanwhile came to ${meanwhile}`)
    await carryOut(play, run, 'first')
    await endsWell(play, run)
    const again = await play.start(request)
    play.expect(again.runId === run.runId, 'the key stands for another run')
    await endsWell(play, again)
    const isAsked = again.events.some(({ type }) => type === 'tool.execution.requested')
    play.expect(!isAsked, 'the replay asked for an execution')
    const other = await play.refusedRun({ ...request, input: 'Something else.' })
    play.expect(other === 'IDEMPOTENCY_CONFLICT', `the key of another request came to ${other}`)
  },
}

const session: Script = {
  name: 'a session, continued',
  executions: 2,
  async play(play) {
    const create = () => play.post('/v1/sessions/create', { provider: 'double', model: 'one', id: 'talk' })
    const made = await play.ask('create a session', create, async () => {
      const known = await create()
      return known.code === 'INVALID_SESSION' ? await play.post('/v1/sessions/read', { id: 'talk' }) : known
    })
    play.expect(made.status === 200, `the session was refused: ${made.code}`)
    // The model gives its call the same id in both turns, which a session takes once.
    for (const [revision, callId] of ['first', 'first_2'].entries()) {
      const run = await play.start(asking('one', { session: { id: 'talk', revision } }))
      await carryOut(play, run, callId)
      await endsWell(play, run)
    }
    const stale = await play.refusedRun(asking('one', { session: { id: 'talk', revision: 1 } }))
    play.expect(stale === 'SESSION_REVISION_CONFLICT', `a stale revision came to ${stale}`)
    const read = await play.ask('read the session', () => play.post('/v1/sessions/read', { id: 'talk' }))
    const { revision, messages } = read.body as SessionSnapshot
    const asked = messages.filter(({ role }) => role === 'user').length
    play.expect(revision === 2 && asked === 2, `revision ${revision} with ${asked} turns`)
  },
}

/** Resolves when the tool of the host runs, or when it is known that it has run. */
async function inTool(play: Play, run: FollowedRun): Promise<number> {
  await Promise.race([play.host.inTool(), run.first('tool.failed'), run.ended()])
  return play.host.kills
}

async function uncertainRuns(play: Play): Promise<readonly string[]> {
  const answer = await play.ask('list what is uncertain', () => play.get('/v1/runs?uncertain=true'))
  return (answer.body as RunPage).runs.map(({ runId }) => runId)
}

const reconciled: Script = {
  name: 'a tool of the host, reconciled',
  setup: { approvesAll: true },
  executions: 0,
  async play(play) {
    const { applicationTools: _none, ...request } = asking('charge', { tools: ['charge'] })
    const run = await play.start(request)
    const kills = await play.see('see the tool run', () => inTool(play, run))
    const isCut = play.host.kills > kills
    await play.see('let the tool end', async () => play.host.endTool())
    await play.end(run)
    const isKnown = run.events.some(({ type }) => type === 'tool.completed')
    play.expect(!(isCut && isKnown), 'the tool was killed at work, and is said to have completed')
    const before = await uncertainRuns(play)
    play.expect(before.length === (isKnown ? 0 : 1), `${before.length} runs are uncertain`)
    const finding = { runId: run.runId, callId: 'charge', found: 'completed' }
    let isRepeated = false
    const send = () => play.post('/v1/calls/reconcile', finding)
    const receipt = await play.ask('reconcile', send, () => {
      isRepeated = true
      return send()
    })
    const isNoted = receipt.status === 200 || (isRepeated && receipt.code === 'CALL_NOT_UNCERTAIN')
    play.expect(
      isKnown ? receipt.code === 'CALL_NOT_UNCERTAIN' : isNoted,
      `reconciling came to ${receipt.code}`,
    )
    play.expect((await uncertainRuns(play)).length === 0, 'what was reconciled is still uncertain')
  },
}

/** What somebody comes back to: a key, a session, a call that broke off. */
export const scriptsOfReturn: readonly Script[] = [keyed, session, reconciled]
