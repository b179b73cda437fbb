import {
  type Agent,
  type ApprovalDecision,
  type ApprovalFunction,
  agent,
  isToolpostError,
  memoryStore,
  type RunResult,
  type Session,
  type Store,
  scriptedModel,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import { countedIds, type ManualClock, manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import type { Answer, Plot } from './plot.ts'

/** What a plot left behind. */
export interface Played {
  readonly session: Session
  readonly store: Store
  /** The agent of the second process. */
  readonly agent: Agent
}

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
const base = { description: 'A tool of a plot', schema }

/** One tool for every way in which a call can go. */
const tools: readonly Tool[] = [
  tool({ ...base, name: 'look', toolClass: 'read', parallel: true, execute: ({ n }) => n }),
  tool({ ...base, name: 'pay', toolClass: 'write', execute: ({ n }) => `paid ${n}` }),
  tool({
    ...base,
    name: 'mail',
    toolClass: 'external',
    parallel: true,
    remember: 'none',
    execute: () => 'sent',
  }),
  tool({ ...base, name: 'fail', toolClass: 'sensitive', execute: () => Promise.reject(new Error('failed')) }),
  tool({
    ...base,
    name: 'never',
    toolClass: 'write',
    timeout: 1_000,
    execute: () => new Promise(() => undefined),
  }),
  tool({
    ...base,
    name: 'again',
    toolClass: 'write',
    repeatable: true,
    dedupe: 'run',
    execute: () => 'again',
  }),
  tool({ ...base, name: 'large', toolClass: 'read', dedupe: 'share', execute: () => 'x'.repeat(40_000) }),
  tool({
    ...base,
    name: 'guarded',
    toolClass: ({ n }) => (n === 2 ? 'destructive' : 'read'),
    prepare: ({ n }) => (n === 0 ? { n: 5 } : undefined),
    check: ({ n }) => (n === 1 ? 'ask' : 'run'),
    execute: () => ({ guarded: true }),
  }),
  tool({
    ...base,
    name: 'end',
    toolClass: 'read',
    execute: (_args, context) => context.output({ over: true }),
  }),
]

/** Answers in their order, over and over. */
function handler(answers: readonly Answer[]): ApprovalFunction {
  let asked = 0
  return () => {
    const answer = answers[asked % answers.length]
    asked += 1
    if (answer === 'throw') throw new Error('The handler failed.')
    if (answer === 'suspend') return suspend()
    return typeof answer === 'object' ? answer : ({ approved: 'perhaps' } as unknown as ApprovalDecision)
  }
}

/** The answer of a script's step to a request, by how often the model has answered since the user spoke last. */
function modelOf(plot: Plot) {
  return scriptedModel(({ messages }) => {
    const users = messages.filter(({ role }) => role === 'user').length
    const last = messages.findLastIndex(({ role }) => role === 'user')
    const said = messages.slice(last).filter(({ role }) => role === 'assistant').length
    return plot.runs[users - 1]?.[said] ?? 'done'
  })
}

interface Stage {
  readonly plot: Plot
  readonly clock: ManualClock
  readonly ids: ReturnType<typeof countedIds>
}

function hostOf({ plot, clock, ids }: Stage, store: Store): Agent {
  const { onUncertain, answers } = plot
  const owner = { name: 'process', hasEnded: () => true }
  const parts = { clock, ids, owner, random: () => 0.5 }
  return agent({
    name: 'host',
    model: modelOf(plot),
    tools,
    store,
    onUncertain,
    approvals: handler(answers),
    parts,
  })
}

/** Passes time until the promise has settled, or the other one has; stops it when it lasts too long. */
async function lived(
  { clock, plot }: Stage,
  drive: (signal: AbortSignal) => Promise<RunResult>,
  crashed: Promise<void>,
): Promise<RunResult | undefined> {
  const controller = new AbortController()
  let isOver = false
  const over = () => {
    isOver = true
  }
  const driven = drive(controller.signal)
  driven.then(over, over)
  crashed.then(over)
  const stopAfterMs = plot.stopAfterMs ?? 60_000
  await clock.advance(0)
  for (let passed = 0; !isOver; passed += 500) {
    if (passed >= stopAfterMs) controller.abort(new Error('Stopped by the plot.'))
    await clock.advance(500)
  }
  return await Promise.race([driven, crashed.then(() => undefined)])
}

async function drained(session: Session, signal: AbortSignal): Promise<RunResult> {
  const stream = session.resume({ signal })
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return next.value
  }
}

const forever = new Promise<void>(() => undefined)

/** Answers what is open, finds out what is uncertain, and goes on, until no run is open. */
async function settled(stage: Stage, session: Session): Promise<void> {
  for (let round = 0; session.state.openRun !== undefined; round += 1) {
    await answerOpen(stage.plot, session, round)
    for (const call of session.state.uncertain.values()) await session.reconcile(call, stage.plot.found)
    if (round > 20) throw new Error('The run of the plot comes to no end.')
    await lived(stage, (signal) => drained(session, signal), forever)
  }
}

async function answerOpen({ answers }: Plot, session: Session, round: number): Promise<void> {
  for (const [index, ticket] of [...session.state.tickets.values()].entries()) {
    if (ticket.decided !== undefined) continue
    const answer = answers[(index + round) % answers.length]
    const whole = typeof answer === 'object' && round < 3 ? answer : { approved: round % 2 === 0 }
    await session.decide(ticket.id, whole as ApprovalDecision).catch((error: unknown) => {
      if (!isToolpostError(error)) throw error
    })
  }
}

/** Plays a plot to its end: the first process until it dies or is done, a second one for the rest. */
export async function playPlot(plot: Plot): Promise<Played> {
  const store = memoryStore()
  const stage: Stage = { plot, clock: manualClock(), ids: countedIds() }
  const { crash } = plot
  const dying =
    crash === undefined ? { store, crashed: forever } : crashingStore(store, crash.type, crash.when)
  const first = await hostOf(stage, dying.store).startSession(plot.mode ?? {})
  await lived(stage, (signal) => first.run('go', { signal }), dying.crashed)
  const second = hostOf(stage, store)
  const session = await second.openSession(first.id)
  await settled(stage, session)
  if (plot.laterMode !== undefined) session.toolMode = plot.laterMode
  await stage.clock.advance(0)
  for (const _script of plot.runs.slice(1)) {
    await lived(stage, (signal) => session.run('go on', { signal }), forever)
    await settled(stage, session)
  }
  return { session, store, agent: second }
}
