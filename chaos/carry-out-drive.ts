import {
  type Agent,
  type ApprovalAnswer,
  type ApprovalRequest,
  isToolpostError,
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

async function driveOne(round: OpenRound, order: DriveOrder, plan: SessionPlan): Promise<DriveEnd> {
  const { seed, clockAheadMs, turnsMax } = order
  const approvals = approverOf(round, order)
  const made = agentFor(round, plan, { seed, approvals, clockAheadMs, turnsMax })
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
    : lookOn(round, session, session.resume()))
  const { run, status } = result
  if (status !== 'waiting') round.evidence.add('told', { told: 'end', session: session.id, run, status })
  return status
}

function begin(round: OpenRound, session: Session, plan: SessionPlan): Promise<RunResult> {
  const input = 'Do all of it.'
  return plan.isShown ? lookOn(round, session, session.stream(input)) : session.run(input)
}

/** Writes down every event that was shown: nobody is told of what is not stored. */
async function lookOn(
  { evidence }: OpenRound,
  session: Session,
  shown: ReturnType<Session['stream']>,
): Promise<RunResult> {
  for (;;) {
    const next = await shown.next()
    if (next.done === true) return next.value
    const event = next.value
    if (!('sequence' in event)) continue
    const { sequence, type } = event
    evidence.add('told', { told: 'event', session: session.id, sequence, type }, false)
  }
}

function approverOf({ evidence }: OpenRound, { asks, seed }: DriveOrder) {
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
