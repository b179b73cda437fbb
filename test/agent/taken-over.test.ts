import { describe, expect, test } from 'vitest'
import { type Agent, agent, memoryStore, type Session, scriptedModel, tool } from '../../src/index.ts'
import { systemClock } from '../../src/runtime/system.ts'

interface Over {
  readonly name: string
  readonly aheadMs?: number
  readonly check?: () => Promise<'run'>
  readonly execute: () => Promise<string> | string
  readonly repeatable?: boolean
}

/** Processes over one store; one whose clock is ahead finds the lease of a living one run out. */
function processes() {
  const store = memoryStore()
  return ({ name, aheadMs = 0, check, execute, repeatable }: Over): Agent => {
    const pay = tool({
      name: 'pay',
      description: 'Pay',
      toolClass: 'write',
      execute,
      ...(check === undefined ? {} : { check }),
      ...(repeatable === undefined ? {} : { repeatable }),
    })
    return agent({
      name: 'a',
      store,
      model: scriptedModel([{ calls: [{ name: 'pay' }] }, 'ok'], { fromHistory: true }),
      tools: [pay],
      parts: {
        clock: { ...systemClock, now: () => Date.now() + aheadMs },
        owner: { name, hasEnded: () => false },
      },
    })
  }
}

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

async function finish(session: Session): Promise<string> {
  const stream = session.resume()
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return next.value.status
  }
}

describe('a living owner whose session another process has taken over', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])(
    'neither executes nor gives up what the other has claimed; it had read the log %s it was deposed',
    async (_when, readsFirst) => {
      const make = processes()
      const effects: string[] = []
      const entered = gate()
      const release = gate()
      const second = make({
        name: 'second',
        aheadMs: 60_000,
        check: async () => 'run',
        execute: async () => {
          effects.push('second')
          entered.open()
          await release.passed
          return 'paid'
        },
      })
      let ended: Promise<string> | undefined
      let checks = 0
      const first = make({
        name: 'first',
        check: async () => {
          checks += 1
          // The second look is the one right before the claim.
          if (checks !== 2) return 'run'
          if (readsFirst) await session.events()
          ended = finish(await second.openSession('s'))
          await entered.passed
          await session.events()
          return 'run'
        },
        execute: () => {
          effects.push('first')
          return 'paid'
        },
      })
      const session = await first.startSession({ id: 's', mode: 'auto' })
      await expect(session.run('pay')).rejects.toMatchObject({ code: 'LEASE_LOST' })
      release.open()
      expect(await ended).toBe('completed')
      expect(effects).toEqual(['second'])
      const events = (await session.events()).map(({ event }) => event)
      expect(events.filter(({ type }) => type === 'call.started')).toHaveLength(1)
      expect(events.filter(({ type }) => type === 'call.failed' || type === 'call.late')).toEqual([])
    },
  )

  test('cannot close a later claim of a call that may run twice with the outcome of its own', async () => {
    const make = processes()
    const firstEntered = gate()
    const firstGoesOn = gate()
    const secondEntered = gate()
    const secondGoesOn = gate()
    const waits =
      (entered: ReturnType<typeof gate>, goesOn: ReturnType<typeof gate>, says: string) => async () => {
        entered.open()
        await goesOn.passed
        return says
      }
    const first = make({
      name: 'first',
      repeatable: true,
      execute: waits(firstEntered, firstGoesOn, 'of the first'),
    })
    const second = make({
      name: 'second',
      aheadMs: 60_000,
      repeatable: true,
      execute: waits(secondEntered, secondGoesOn, 'of the second'),
    })
    const session = await first.startSession({ id: 's', mode: 'auto' })
    const running = session.run('pay').catch((error: unknown) => error)
    await firstEntered.passed
    const ended = finish(await second.openSession('s'))
    await secondEntered.passed
    firstGoesOn.open()
    expect(await running).toMatchObject({ code: 'LEASE_LOST' })
    secondGoesOn.open()
    expect(await ended).toBe('completed')
    await session.events()
    const [call] = session.state.calls.values()
    expect(call).toMatchObject({
      attempt: 2,
      end: { status: 'completed', text: { inline: 'of the second' } },
    })
  })
})
