import { expect, test } from 'vitest'
import {
  type ApprovalAnswer,
  ApprovalDecision,
  type ApprovalRequest,
  agent,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { countedIds, manualClock } from '../../src/testing.ts'
import { calling, play } from '../support/play.ts'

function counting(name: string, toolClass: 'write' | 'destructive' | 'external' = 'write') {
  const runs: unknown[] = []
  const made = tool({
    name,
    description: `Does ${name}`,
    toolClass,
    schema: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
    execute: (args) => {
      runs.push(args)
      return `${name} done`
    },
  })
  return { made, runs }
}

test('without a handler, a call that asks is declined and not run [approvals/D1]', async () => {
  const { made, runs } = counting('delete_page')
  const { told, calls, result } = await play({ tools: [made] }, [calling('delete_page', { page: 1 })])
  expect(runs).toEqual([])
  expect(calls[0]?.end).toMatchObject({ status: 'refused', code: 'declined', category: 'no_handler' })
  expect(told[0]).toMatch(/^Error: Nobody is there to approve/)
  expect(result.status).toBe('completed')
})

test('an approved call runs once [approvals/D2]', async () => {
  const { made, runs } = counting('delete_page')
  const approvals = () => ApprovalDecision.approve()
  const { told } = await play({ tools: [made], approvals }, [calling('delete_page', { page: 1 })])
  expect(runs).toEqual([{ page: 1 }])
  expect(told).toEqual(['delete_page done'])
})

test('a denied call does not run, and the reason is in the text for the model [approvals/D3]', async () => {
  const { made, runs } = counting('delete_page')
  const approvals = () => ApprovalDecision.deny('Declined in the dialog.')
  const { told } = await play({ tools: [made], approvals }, [calling('delete_page', { page: 1 })])
  expect(runs).toEqual([])
  expect(told[0]).toContain('Declined in the dialog.')
})

test('an approval for the session covers later calls of that tool and no other [approvals/D4]', async () => {
  const first = counting('delete_page')
  const second = counting('move_page')
  const asked: string[] = []
  const approvals = (request: ApprovalRequest) => {
    asked.push(request.tool.name)
    return ApprovalDecision.approveForSession()
  }
  const steps = [
    calling('delete_page', { page: 1 }),
    calling('delete_page', { page: 2 }),
    calling('move_page', { page: 3 }),
  ]
  await play({ tools: [first.made, second.made], approvals }, steps)
  expect(asked).toEqual(['delete_page', 'move_page'])
  expect(first.runs).toHaveLength(2)
})

test('a plain object is a decision [approvals/D6]', async () => {
  const { made, runs } = counting('delete_page')
  await play({ tools: [made], approvals: () => ({ approved: true }) }, [calling('delete_page', { page: 1 })])
  expect(runs).toHaveLength(1)
})

test.each([
  ['approved is no boolean', { approved: 'yes' }],
  ['nothing', undefined],
  ['null', null],
  ['an unknown scope', { approved: true, scope: 'for ever' }],
  ['an unknown key', { approved: true, always: true }],
])('an answer that is no decision declines: %s [approvals/D7]', async (_name, answer) => {
  const { made, runs } = counting('delete_page')
  const { calls } = await play({ tools: [made], approvals: () => answer as never }, [
    calling('delete_page', { page: 1 }),
  ])
  expect(runs).toEqual([])
  expect(calls[0]?.end).toMatchObject({ status: 'refused', code: 'declined', category: 'handler_error' })
})

test('a handler that throws declines, and the turn goes on [approvals/D8]', async () => {
  const { made, runs } = counting('delete_page')
  const approvals = () => {
    throw new Error('the dialog broke')
  }
  const { result, calls } = await play({ tools: [made], approvals }, [calling('delete_page', { page: 1 })])
  expect(runs).toEqual([])
  expect(calls[0]?.end).toMatchObject({ code: 'declined', category: 'handler_error' })
  expect(result).toMatchObject({ status: 'completed', text: 'done' })
})

test('an object with a request method is a handler, and keeps its this [approvals/D9]', async () => {
  const { made, runs } = counting('delete_page')
  const approvals = {
    answer: { approved: true },
    request() {
      return this.answer
    },
  }
  await play({ tools: [made], approvals }, [calling('delete_page', { page: 1 })])
  expect(runs).toHaveLength(1)
})

test('stopping the turn while a person is asked aborts the signal, and a later answer changes nothing [approvals/D10]', async () => {
  const { made, runs } = counting('delete_page')
  const stop = new AbortController()
  let answer: (decision: unknown) => void = () => undefined
  let seen: AbortSignal | undefined
  const approvals = (_request: ApprovalRequest, signal: AbortSignal) => {
    seen = signal
    stop.abort(new Error('the user left'))
    return new Promise<ApprovalAnswer>((resolve) => {
      answer = resolve as (decision: unknown) => void
    })
  }
  const model = scriptedModel([calling('delete_page', { page: 1 })])
  const session = await agent({ name: 'a', model, tools: [made], approvals }).startSession()
  const result = await session.run('go', { signal: stop.signal })
  answer({ approved: true })
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen?.aborted).toBe(true)
  expect(result.status).toBe('cancelled')
  expect([...session.state.calls.values()][0]?.end?.status).toBe('cancelled')
  expect(runs).toEqual([])
  const ticket = [...session.state.tickets.keys()][0] as string
  await expect(session.decide(ticket, { approved: true })).rejects.toMatchObject({ code: 'TICKET_DECIDED' })
})

test('an ask of the host has no time limit: after an hour it still waits [approvals/D11]', async () => {
  const { made, runs } = counting('delete_page')
  const clock = manualClock()
  let answer: (decision: unknown) => void = () => undefined
  let aborted = false
  const approvals = (_request: ApprovalRequest, signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Promise<ApprovalAnswer>((resolve) => {
      answer = resolve as (decision: unknown) => void
    })
  }
  const model = scriptedModel([calling('delete_page', { page: 1 }), 'done'])
  const session = await agent({ name: 'a', model, tools: [made], approvals, parts: { clock } }).startSession()
  const running = session.run('go')
  await clock.advance(3_600_000)
  expect([...session.state.tickets.values()].map((ticket) => ticket.decided)).toEqual([undefined])
  expect(aborted).toBe(false)
  answer({ approved: true })
  expect((await running).status).toBe('completed')
  expect(runs).toHaveLength(1)
  const decided = (await session.events()).find(({ event }) => event.type === 'approval.decided')
  expect(decided?.event).toMatchObject({ waitedMs: 3_600_000 })
})

test('a call with wrong arguments is never brought before the handler [approvals/D12]', async () => {
  const { made } = counting('delete_page')
  let asked = 0
  const approvals = () => {
    asked += 1
    return { approved: true }
  }
  const { told } = await play({ tools: [made], approvals }, [calling('delete_page', { page: 'one' })])
  expect(asked).toBe(0)
  expect(told[0]).toMatch(/^Error: Invalid arguments: .*page/)
})

test('the request shows what will run, and why it is asked [tools-and-approvals/request-fields]', async () => {
  const { made } = counting('delete_page')
  let request: ApprovalRequest | undefined
  const approvals = (given: ApprovalRequest) => {
    request = given
    return { approved: false }
  }
  const { session } = await play({ tools: [made], approvals, parts: { ids: countedIds() } }, [
    calling('delete_page', { page: 7 }),
  ])
  expect(request).toMatchObject({
    id: 'ask_1',
    callId: 'call_1',
    sessionId: session.id,
    principal: 'local',
    source: 'host',
    tool: { name: 'delete_page', toolClass: 'write', source: 'function' },
    args: { page: 7 },
    mode: 'ask',
    allowed: { edit: true, session: true },
  })
  expect(request?.reason).toMatch(/ask/)
  expect(request?.why.map((entry) => entry.layer)).toContain('mode')
})

test('a person may edit the arguments: the edited ones run, and the model is told', async () => {
  const { made, runs } = counting('delete_page')
  const approvals = () => ApprovalDecision.approve({ editedArgs: { page: 2 } })
  const { told, events } = await play({ tools: [made], approvals }, [calling('delete_page', { page: 1 })])
  expect(runs).toEqual([{ page: 2 }])
  expect(told[0]).toContain('changed its arguments; it ran with {"page":2}')
  const edited = events.find(({ event }) => event.type === 'approval.edited')?.event
  expect(edited).toMatchObject({ args: { page: 2 } })
})

test('edited arguments that break the schema are refused and the ask stays open', async () => {
  const { made, runs } = counting('delete_page')
  const model = scriptedModel([calling('delete_page', { page: 1 }), 'done'])
  const session = await agent({ name: 'a', model, tools: [made], approvals: () => suspend() }).startSession()
  const waiting = await session.run('go')
  expect(waiting.status).toBe('waiting')
  const [ticket = ''] = waiting.tickets
  const wrong = session.decide(ticket, { approved: true, editedArgs: { page: 'two' } })
  await expect(wrong).rejects.toMatchObject({
    code: 'INVALID_DECISION',
    message: expect.stringContaining('page'),
  })
  await session.decide(ticket, { approved: true, editedArgs: { page: 2 } })
  const again = session.resume()
  while (!(await again.next()).done);
  expect(runs).toEqual([{ page: 2 }])
})

test('an answer to other arguments than those shown does not count', async () => {
  const { made } = counting('delete_page')
  const model = scriptedModel([calling('delete_page', { page: 1 })])
  const session = await agent({ name: 'a', model, tools: [made], approvals: () => suspend() }).startSession()
  const [ticket = ''] = (await session.run('go')).tickets
  const stale = session.decide(ticket, { approved: true, digest: 'sha256:other' })
  await expect(stale).rejects.toMatchObject({ code: 'TICKET_MISMATCH' })
  expect(session.state.tickets.get(ticket)?.decided).toBeUndefined()
})

test('three asks of one step have three ids, and answers in any order reach the right calls [faults/F34]', async () => {
  const { made, runs } = counting('delete_page')
  const asked: ApprovalRequest[] = []
  const approvals = (request: ApprovalRequest) => {
    asked.push(request)
    return suspend()
  }
  const step = { calls: [1, 2, 3].map((page) => ({ name: 'delete_page', args: { page } })) }
  const model = scriptedModel([step, 'done'])
  const session = await agent({ name: 'a', model, tools: [made], approvals }).startSession()
  const { tickets } = await session.run('go')
  expect(new Set(tickets).size).toBe(3)
  const ticketOf = (page: number) =>
    asked.find(({ args }) => (args as { page: number }).page === page)?.id as string
  await session.decide(ticketOf(3), { approved: true })
  await session.decide(ticketOf(1), { approved: false, reason: 'not this one' })
  await session.decide(ticketOf(2), { approved: true })
  const going = session.resume()
  let next = await going.next()
  while (!next.done) next = await going.next()
  expect(next.value.status).toBe('completed')
  expect(runs).toEqual([{ page: 2 }, { page: 3 }])
  expect([...session.state.calls.values()].map((call) => call.end?.status)).toEqual([
    'refused',
    'completed',
    'completed',
  ])
})

test('two approvals in sequence each send their own result once [faults/F28] [faults/F37]', async () => {
  const { made, runs } = counting('delete_page')
  const { told } = await play({ tools: [made], approvals: () => ({ approved: true }) }, [
    calling('delete_page', { page: 1 }),
    calling('delete_page', { page: 2 }),
  ])
  expect(runs).toEqual([{ page: 1 }, { page: 2 }])
  expect(told).toEqual(['delete_page done', 'delete_page done'])
})

test('an approval for a session never covers another session, not even of the same agent [faults/F31]', async () => {
  const asked: string[] = []
  const approvals = (request: ApprovalRequest) => {
    asked.push(request.sessionId)
    return ApprovalDecision.approveForSession()
  }
  const { made } = counting('delete_page')
  const model = scriptedModel((_request, step) =>
    step % 2 === 1 ? calling('delete_page', { page: step }) : 'done',
  )
  const keeper = agent({ name: 'a', model, tools: [made], approvals })
  for (const session of [await keeper.startSession(), await keeper.startSession()]) {
    await session.run('go')
    await session.run('again')
  }
  expect(asked).toHaveLength(2)
  expect(new Set(asked).size).toBe(2)
})
