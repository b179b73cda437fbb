import { type Agent, type ApprovalDecision, type IndexRow, isToolpostError, suspend } from '../src/index.ts'
import { Dice, seedOf } from './dice.ts'
import { agentFor, type OpenRound } from './open-round.ts'
import type { AnswerOrder } from './orders.ts'

/** Answers the asks of a round as somebody outside would, through the library. */
export async function carryOutAnswers(
  round: OpenRound,
  order: AnswerOrder,
  released: Promise<void>,
): Promise<void> {
  const made = agentsFor(round, order)
  const answered = new Set<string>()
  const answerOpen = async () => {
    const open = await round.store.list({ kind: 'ticket', status: 'open', limit: 1_000 })
    const rows = new Dice(order.orderSeed).shuffled(open.filter(({ id }) => !answered.has(id)))
    for (const row of rows) {
      answered.add(row.id)
      await answerOne(round, order, made, row)
    }
  }
  await answerOpen()
  if (order.reconciles) await reconcileAll(round, order, made)
  if (order.goesOn) await whenChanged(round, answerOpen, released)
}

/** The agents at the top, by their sessions: each knows what is asked below it. */
function agentsFor(round: OpenRound, { seed, sessions, clockAheadMs = 0 }: AnswerOrder): Map<string, Agent> {
  const facts = { seed, approvals: () => suspend(), clockAheadMs }
  return new Map(sessions.map((plan) => [plan.id, agentFor(round, plan, facts)]))
}

/** Does it again whenever the store has changed, until released. */
async function whenChanged(
  { store }: OpenRound,
  action: () => Promise<void>,
  released: Promise<void>,
): Promise<void> {
  let going = Promise.resolve()
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const again = () => {
    going = going.then(action)
    going.catch(fail)
  }
  const stop = store.watch(again)
  // What came between the first look and the watch would otherwise be seen too late.
  again()
  try {
    await Promise.race([released, failed])
  } finally {
    stop()
    await going
  }
}

async function answerOne(
  round: OpenRound,
  order: AnswerOrder,
  agents: Map<string, Agent>,
  row: IndexRow,
  isAgain = false,
): Promise<void> {
  const { evidence, points } = round
  const made = agents.get(String(row.data.root ?? row.data.session)) as Agent
  const by = `${order.name}/${row.id}`
  const given = row.data.kind === 'input' ? answerTo(order, row, isAgain) : decisionOn(order, row)
  const line = { ticket: row.id, by, approved: 'value' in given || given.approved, ...told(given) }
  const actor = { id: by, method: 'library' } as const
  try {
    if ('value' in given) await made.answer(given.by, given.value, actor)
    else await made.decide(row.id, given, actor)
    points.pass('before acknowledgement')
    evidence.add('answers', { ...line, came: 'acknowledged' })
    points.pass('after acknowledgement')
  } catch (error) {
    if (!isToolpostError(error)) throw error
    const firstBy = (error.details as { by?: { id?: string } } | undefined)?.by?.id
    evidence.add('answers', { ...line, came: error.code, ...(firstBy === undefined ? {} : { firstBy }) })
    // The question is open, and somebody may wait for nobody else's answer.
    if (error.code === 'INVALID_INPUT' && !isAgain) await answerOne(round, order, agents, row, true)
  }
}

/** What is said, and by which of its names the question is known. */
interface GivenAnswer {
  readonly value: { readonly answer: unknown }
  readonly by: string
}

function told(given: GivenAnswer | ApprovalDecision) {
  if ('value' in given) return { value: given.value }
  return given.editedArgs === undefined ? {} : { editedArgs: given.editedArgs }
}

/** Every order answers a question in its own way; now and then what it says does not pass. */
function answerTo(
  { name, seed }: AnswerOrder,
  row: IndexRow,
  isAgain: boolean,
): GivenAnswer | ApprovalDecision {
  const dice = new Dice(seedOf(seed, name, row.id))
  if (dice.chance(0.2)) return { approved: false, reason: 'Nobody knows.' }
  const by = dice.chance(0.3) ? String(row.data.call) : row.id
  return { by, value: { answer: dice.chance(0.15) && !isAgain ? 'perhaps' : dice.whole(1, 1_000_000) } }
}

/** Every order answers an ask in its own way. */
function decisionOn({ name, seed }: AnswerOrder, row: IndexRow): ApprovalDecision {
  const dice = new Dice(seedOf(seed, name, row.id))
  const digest = dice.chance(0.3) ? { digest: String(row.data.digest) } : {}
  const scope = dice.chance(0.1) ? { scope: 'session' as const } : {}
  if (dice.chance(0.3)) return { approved: false, reason: 'No.', ...digest, ...scope }
  // A part of a flow is told a text.
  const edited =
    dice.chance(0.15) && !/^\d/.test(String(row.data.tool))
      ? { editedArgs: { n: dice.whole(2_000_000, 3_000_000) } }
      : {}
  return { approved: true, ...digest, ...scope, ...edited }
}

/** Says of every uncertain call what the witness says of it. */
async function reconcileAll(round: OpenRound, order: AnswerOrder, agents: Map<string, Agent>): Promise<void> {
  const made = agents.get(order.sessions[0]?.id ?? '') as Agent
  const rows = await round.store.list({ kind: 'call', status: 'uncertain', limit: 1_000 })
  for (const row of rows) await reconcileOne(round, made, String(row.data.session), row.id)
}

async function reconcileOne({ evidence }: OpenRound, made: Agent, id: string, call: string): Promise<void> {
  const found = evidence.read('effects').some((line) => line.call === call) ? 'completed' : 'not_run'
  const session = await made.openSession(id)
  try {
    await session.reconcile(call, found)
    evidence.add('told', { told: 'found', session: id, call, found })
  } catch (error) {
    if (!isToolpostError(error) || error.code !== 'CALL_NOT_UNCERTAIN') throw error
  }
}
