import {
  type Agent,
  type ApprovalAnswer,
  type ApprovalRequest,
  type ChildEvent,
  decline,
  type InputRequest,
  isToolpostError,
  type RunEvent,
  type RunResult,
  type Session,
  suspend,
} from '../src/index.ts'
import { Dice, seedOf } from './dice.ts'
import { agentFor, type OpenRound } from './open-round.ts'
import type { DriveEnd, DriveOrder } from './orders.ts'
import type { SessionPlan } from './session-plan.ts'

/** Drives the sessions of an order at once, each until it ends or rests. */
export async function carryOutDrive(round: OpenRound, order: DriveOrder): Promise<readonly DriveEnd[]> {
  return await Promise.all(order.sessions.map((plan) => driveOne(round, order, plan)))
}

/** What another process that drives the same session may lead to. */
const refusals = ['SESSION_BUSY', 'LEASE_LOST', 'RUN_OPEN', 'RUN_NOT_FOUND']

/** How the agent of a session is driven in one order. */
export function drivenAgent(
  round: OpenRound,
  order: Pick<DriveOrder, 'seed' | 'clockAheadMs' | 'turnsMax' | 'asks'>,
  plan: SessionPlan,
): Agent {
  const { seed, clockAheadMs, turnsMax } = order
  const facts = { approvals: approverOf(round, order), inputs: answererOf(round, order) }
  return agentFor(round, plan, { seed, clockAheadMs, turnsMax, ...facts })
}

async function driveOne(round: OpenRound, order: DriveOrder, plan: SessionPlan): Promise<DriveEnd> {
  return await driveSession(round, drivenAgent(round, order, plan), plan)
}

/** Begins a session, or goes on with it, until it ends or rests; gives how it came out. */
export async function driveSession(round: OpenRound, made: Agent, plan: SessionPlan): Promise<DriveEnd> {
  try {
    const session = await openOrStart(made, plan)
    const came = await goOn(round, session, plan)
    return { session: plan.id, came }
  } catch (error) {
    if (!isToolpostError(error) || !refusals.includes(error.code)) throw error
    return { session: plan.id, came: error.code }
  }
}

async function openOrStart(made: Agent, { id, mode }: SessionPlan): Promise<Session> {
  try {
    return await made.openSession(id)
  } catch (error) {
    if (!isToolpostError(error) || error.code !== 'SESSION_NOT_FOUND') throw error
  }
  try {
    return await made.startSession({ id, mode })
  } catch (error) {
    if (!isToolpostError(error) || error.code !== 'SESSION_EXISTS') throw error
    return await made.openSession(id)
  }
}

async function goOn(round: OpenRound, session: Session, plan: SessionPlan): Promise<string> {
  const { openRun, runs } = session.state
  if (openRun === undefined && runs.size > 0) return [...runs.values()].at(-1)?.ended?.status ?? 'nothing'
  const result = await (openRun === undefined
    ? begin(round, session, plan)
    : lookOn(round, session, session.resume({ children: plan.tree !== undefined })))
  const { run, status } = result
  if (status !== 'waiting') round.evidence.add('told', { told: 'end', session: session.id, run, status })
  return status
}

function begin(round: OpenRound, session: Session, plan: SessionPlan): Promise<RunResult> {
  const input = 'Do all of it.'
  if (!plan.isShown) return session.run(input)
  return lookOn(round, session, session.stream(input, { children: plan.tree !== undefined }))
}

/** Writes down every event that was shown: nobody is told of what is not stored. */
async function lookOn(
  { evidence }: OpenRound,
  session: Session,
  shown: AsyncGenerator<RunEvent | ChildEvent, RunResult, undefined>,
): Promise<RunResult> {
  for (;;) {
    const next = await shown.next()
    if (next.done === true) return next.value
    const { value } = next
    const isBelow = value.type === 'child.event'
    const event = isBelow ? value.event : value
    const from = isBelow ? (value.path.at(-1)?.session ?? '') : session.id
    if (!('sequence' in event)) continue
    const { sequence, type } = event
    evidence.add('told', { told: 'event', session: from, sequence, type }, false)
  }
}

type Asked = Pick<DriveOrder, 'asks' | 'seed'>

/** Answers questions of tools as approvals are answered: some, and none that is left to others. */
function answererOf({ evidence }: OpenRound, { asks, seed }: Asked) {
  return async ({ id: ticket, sessionId: session }: InputRequest, signal: AbortSignal): Promise<unknown> => {
    evidence.add('told', { told: 'ask', session, ticket }, false)
    if (asks === 'wait') await aborted(signal)
    const dice = new Dice(seedOf(seed, 'tell', ticket))
    if (asks !== 'answer' || !dice.chance(0.6)) return suspend()
    return dice.chance(0.8) ? { answer: dice.whole(1, 1_000_000) } : decline('Nobody knows.')
  }
}

function approverOf({ evidence }: OpenRound, { asks, seed }: Asked) {
  return async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> => {
    const { id: ticket, sessionId: session } = request
    evidence.add('told', { told: 'ask', session, ticket }, false)
    if (asks === 'wait') await aborted(signal)
    const dice = new Dice(seedOf(seed, 'approve', ticket))
    return asks === 'answer' && dice.chance(0.75) ? { approved: dice.chance(0.8) } : suspend()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
