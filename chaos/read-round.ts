import { type Draft, newSessionState } from '../src/core/run/draft.ts'
import { fold } from '../src/core/run/fold.ts'
import { rowsOf, sessionRow } from '../src/core/run/rows.ts'
import type { IndexRow, SessionState, Store, StoredEvent } from '../src/index.ts'
import { sqlite } from '../src/sqlite.ts'
import type { RoundPlan } from './act.ts'
import { type AnswerLine, type EffectLine, Evidence, type KillLine, type ToldLine } from './evidence.ts'
import { storeFile } from './open-round.ts'

/** A session as the store has it, and as its log says that the index should have it. */
export interface ReadSession {
  readonly id: string
  readonly log: readonly StoredEvent[]
  readonly state: SessionState
  readonly rows: readonly IndexRow[]
  readonly rebuilt: readonly IndexRow[]
}

/** Everything that a round left behind. */
export interface ReadRound {
  readonly sessions: readonly ReadSession[]
  readonly effects: readonly EffectLine[]
  readonly answers: readonly AnswerLine[]
  readonly told: readonly ToldLine[]
  readonly kills: readonly KillLine[]
}

/** Reads the store and the evidence of a round. Throws what the fold throws for a log that it cannot read. */
export async function readRound(folder: string, plan: RoundPlan): Promise<ReadRound> {
  const store = sqlite(storeFile(folder))
  const evidence = new Evidence(folder)
  try {
    const sessions: ReadSession[] = []
    for (const id of await sessionsOf(store, plan)) sessions.push(await readSession(store, id))
    const [effects, answers] = [evidence.read('effects'), evidence.read('answers')]
    return { sessions, effects, answers, told: evidence.read('told'), kills: evidence.read('kills') }
  } finally {
    await store.close()
  }
}

/** The sessions that were planned, and those that the store has besides: children. */
export async function sessionsOf(store: Store, { sessions }: RoundPlan): Promise<ReadonlySet<string>> {
  const rows = await store.list({ kind: 'session', limit: 1_000 })
  return new Set([...sessions, ...rows].map(({ id }) => id))
}

async function readSession(store: Store, id: string): Promise<ReadSession> {
  const stream = `session:${id}`
  const log = await store.read(stream)
  const state = newSessionState()
  const draft: Draft = fold(state, log)
  const rebuilt = [...sessionRow(draft, stream, log), ...rowsOf(draft, stream)]
  draft.commit()
  const kinds = ['session', 'run', 'ticket', 'call', 'timer'] as const
  const rows = await Promise.all(kinds.map((kind) => store.list({ kind, stream, limit: 1_000 })))
  return { id, log, state, rows: rows.flat(), rebuilt }
}
