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
  const made = agentFor(
    round,
    { steps: [], onUncertain: 'tell' },
    { seed: order.seed, approvals: () => suspend() },
  )
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
  { evidence, points }: OpenRound,
  order: AnswerOrder,
  made: Agent,
  row: IndexRow,
): Promise<void> {
  const decision = decisionOn(order, row)
  const by = `${order.name}/${row.id}`
  const { approved, editedArgs } = decision
  const line = { ticket: row.id, by, approved, ...(editedArgs === undefined ? {} : { editedArgs }) }
  try {
    await made.decide(row.id, decision, { id: by, method: 'library' })
    points.pass('before acknowledgement')
    evidence.add('answers', { ...line, came: 'acknowledged' })
    points.pass('after acknowledgement')
  } catch (error) {
    if (!isToolpostError(error)) throw error
    const firstBy = (error.details as { by?: { id?: string } } | undefined)?.by?.id
    evidence.add('answers', { ...line, came: error.code, ...(firstBy === undefined ? {} : { firstBy }) })
  }
}

/** Every order answers an ask in its own way. */
function decisionOn({ name, seed }: AnswerOrder, row: IndexRow): ApprovalDecision {
  const dice = new Dice(seedOf(seed, name, row.id))
  const digest = dice.chance(0.3) ? { digest: String(row.data.digest) } : {}
  const scope = dice.chance(0.1) ? { scope: 'session' as const } : {}
  if (dice.chance(0.3)) return { approved: false, reason: 'No.', ...digest, ...scope }
  const edited = dice.chance(0.15) ? { editedArgs: { n: dice.whole(2_000_000, 3_000_000) } } : {}
  return { approved: true, ...digest, ...scope, ...edited }
}

/** Says of every uncertain call what the witness says of it. */
async function reconcileAll(round: OpenRound, order: AnswerOrder, made: Agent): Promise<void> {
  for (const { id } of order.sessions) {
    const rows = await round.store.list({ kind: 'call', stream: `session:${id}`, status: 'uncertain' })
    for (const row of rows) await reconcileOne(round, made, id, row.id)
  }
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
