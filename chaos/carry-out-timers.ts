import { type Agent, isToolpostError } from '../src/index.ts'
import { drivenAgent, driveSession } from './carry-out-drive.ts'
import type { OpenRound } from './open-round.ts'
import type { DriveEnd, TimeOrder } from './orders.ts'

/** How long it is until the next look. */
const betweenLooksMs = 10

/** Does what is due in the store, and goes on with the sessions that can go on, once or until released. */
export async function carryOutTimers(
  round: OpenRound,
  order: TimeOrder,
  released: Promise<void>,
): Promise<readonly DriveEnd[]> {
  const agents = new Map(
    order.sessions.map((plan) => [plan.id, drivenAgent(round, { ...order, asks: 'suspend' }, plan)]),
  )
  let isReleased = !order.goesOn
  released.then(() => {
    isReleased = true
  })
  const ends: DriveEnd[] = []
  for (;;) {
    ends.push(...(await lookOnce(round, order, agents)))
    if (isReleased) return ends
    await new Promise((resolve) => setTimeout(resolve, betweenLooksMs))
  }
}

async function lookOnce(
  round: OpenRound,
  { sessions, takesUpAll }: TimeOrder,
  agents: ReadonlyMap<string, Agent>,
): Promise<readonly DriveEnd[]> {
  const first = [...agents.values()][0] as Agent
  const onError = ({ session, error }: { session: string; error: unknown }) => {
    throw new Error(`The timers of ${session} could not be done: ${(error as Error).stack}`)
  }
  const due = await first.runTimers({ onError })
  const unknown = due.find((session) => !agents.has(session))
  if (unknown !== undefined)
    throw new Error(`The timers named ${unknown}, which is not at the top and goes on by nothing.`)
  if (takesUpAll) return (await Promise.all([...agents.values()].map(takeUp))).flat()
  const plans = sessions.filter(({ id }) => due.includes(id))
  return await Promise.all(plans.map((plan) => driveSession(round, agents.get(plan.id) as Agent, plan)))
}

/** Takes up all that is open of one agent at the top. */
async function takeUp(made: Agent): Promise<readonly DriveEnd[]> {
  const resumed = await made.resumeOpen()
  return resumed.map(({ session, status, error }) => {
    if (status !== undefined) return { session, came: status }
    if (isToolpostError(error)) return { session, came: error.code }
    throw error
  })
}
