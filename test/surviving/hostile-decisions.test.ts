import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalDecision,
  agent,
  isToolpostError,
  type Session,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { expectEndedWhole } from './ended-whole.ts'
import { hostileValues } from './hostile-values.ts'
import { untilOver } from './until-over.ts'

let runs = 0
const pay = tool({
  name: 'pay',
  description: 'Pays',
  toolClass: 'write',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
  execute: () => {
    runs += 1
    return 'paid'
  },
})

const model = () =>
  scriptedModel((_request, step) => (step === 1 ? { calls: [{ name: 'pay', args: { n: 1 } }] } : 'done'))

const members: readonly (keyof ApprovalDecision)[] = [
  'approved',
  'forSession',
  'scope',
  'reason',
  'editedArgs',
  'digest',
]
const isWhole = (value: unknown) => value === undefined || typeof value === 'string'

/** A session that rests on one open ask. */
async function resting(): Promise<{ session: Session; ticket: string }> {
  const session = await agent({
    name: 'host',
    model: model(),
    tools: [pay],
    approvals: () => suspend(),
  }).startSession()
  const { tickets } = await session.run('go')
  return { session, ticket: tickets[0]! }
}

async function finished(session: Session): Promise<string> {
  const stream = session.resume()
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return next.value.status
  }
}

describe('an answer of the approval handler', () => {
  test.each(members.filter((member) => member !== 'reason'))(
    'with a hostile value as its "%s" approves nothing',
    async (member) => {
      for (const [name, make] of Object.entries(hostileValues)) {
        const value = make()
        // A text is a digest like any other, only a wrong one; an absent member is none.
        if (value === undefined || (member === 'editedArgs' && value === null)) continue
        const clock = manualClock()
        const what = `${name} as ${member}`
        const before = runs
        const approvals = () => ({ approved: true, [member]: value })
        const made = agent({ name: 'host', model: model(), tools: [pay], approvals, parts: { clock } })
        const { session, result } = await untilOver(made, clock)
        expect(result.status, what).toBe('completed')
        expect(runs, what).toBe(before)
        await expectEndedWhole(session, what)
      }
    },
  )

  test('with a hostile reason approves only if the reason is a text', async () => {
    for (const [name, make] of Object.entries(hostileValues)) {
      const clock = manualClock()
      const before = runs
      const value = make()
      const approvals = () => ({ approved: true, reason: value as string })
      const made = agent({ name: 'host', model: model(), tools: [pay], approvals, parts: { clock } })
      const { session } = await untilOver(made, clock)
      expect(runs - before, name).toBe(isWhole(value) ? 1 : 0)
      for (const ticket of session.state.tickets.values())
        expect(ticket.decided?.reason?.length ?? 0, name).toBeLessThanOrEqual(8_000)
      await expectEndedWhole(session, name)
    }
  })
})

describe('an answer from outside', () => {
  test.each(Object.keys(hostileValues))(
    '%s is refused, and the ask stays open for a whole one',
    async (name) => {
      const { session, ticket } = await resting()
      const before = runs
      const refused = await session
        .decide(ticket, hostileValues[name]!() as ApprovalDecision)
        .catch((error: unknown) => error)
      expect(isToolpostError(refused) && refused.code).toBe('INVALID_DECISION')
      await session.decide(ticket, { approved: true })
      expect(await finished(session)).toBe('completed')
      expect(runs).toBe(before + 1)
      await expectEndedWhole(session, name)
    },
  )

  test('no value approves that is not whole, and none throws anything but a ToolpostError', async () => {
    const junk = fc.anything({ maxDepth: 2 })
    const decision = fc.record(
      {
        approved: fc.oneof(fc.boolean(), junk),
        forSession: junk,
        scope: fc.oneof(fc.constantFrom('once', 'session'), junk),
        reason: junk,
        editedArgs: junk,
        digest: junk,
        other: junk,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(decision, async (answer) => {
        const { session, ticket } = await resting()
        const before = runs
        const error = await session.decide(ticket, answer as ApprovalDecision).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        if (error === undefined) {
          await finished(session)
          expect(runs - before).toBe((answer as ApprovalDecision).approved === true ? 1 : 0)
          return await expectEndedWhole(session, 'decided')
        }
        expect(isToolpostError(error) && ['INVALID_DECISION', 'TICKET_MISMATCH'].includes(error.code)).toBe(
          true,
        )
        expect(session.state.tickets.get(ticket)?.decided).toBeUndefined()
      }),
      { numRuns: 200 },
    )
  })
})
