// A tool that does not stop when its time is over: nobody saw its outcome, so the same call is refused until
// somebody has found out.
import { agent, scriptedModel, tool } from 'toolpost'
import { manualClock } from 'toolpost/testing'

const clock = manualClock()

const sendLetter = tool({
  name: 'send_letter',
  description: 'Send a letter',
  toolClass: 'external',
  schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  timeout: 1_000,
  // Never looks at its signal.
  execute: () => new Promise<string>(() => undefined),
})

const send = { calls: [{ name: 'send_letter', args: { to: 'Ann' } }] }
const secretary = agent({
  name: 'secretary',
  model: scriptedModel([send, send, 'I do not know whether Ann has her letter.']),
  tools: [sendLetter],
  approvals: () => ({ approved: true }),
  parts: { clock },
})

const session = await secretary.startSession()
const running = session.run('Write to Ann.')
await clock.advance(5_000)
await running

const [first, second] = [...session.state.calls.values()]
console.log(first?.end?.status, first?.end && 'effect' in first.end ? first.end.effect : '')
console.log(second?.end?.status, second?.end && 'code' in second.end ? second.end.code : '')

await session.reconcile(first?.id ?? '', 'not_run', { note: 'The post office has no letter.' })
console.log('uncertain calls left:', session.state.uncertain.size)

// Prints:
// failed uncertain
// refused uncertain_earlier
// uncertain calls left: 0
