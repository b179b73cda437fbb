import type { Store } from '../src/index.ts'
import { clockAheadMs, type RoundPlan } from './act.ts'
import type { AnswerOrder, DriveOrder, TimeOrder } from './orders.ts'

/** What the process that is left alone at last is told, look by look. */
export interface LastOrders {
  drive(look: number): DriveOrder
  answer(look: number): AnswerOrder
  tend(look: number): TimeOrder
}

/** Orders for a round; in one of trees they come so late, and ever later, that every time is over that was named before. */
export function lastOrders(plan: RoundPlan, folder: string): LastOrders {
  const { seed, sessions } = plan
  const facts = (look: number) => {
    const laterMs = hasTrees(plan) ? (look + 2) * clockAheadMs : 0
    return { place: { folder }, seed, sessions, clockAheadMs: laterMs }
  }
  const answers = { do: 'answer', orderSeed: seed, goesOn: false, reconciles: true } as const
  return {
    drive: (look) => ({ do: 'drive', ...facts(look), asks: 'suspend', turnsMax: 3 }),
    answer: (look) => ({ ...answers, ...facts(look), name: `last.${look}` }),
    tend: (look) => ({ do: 'tend', ...facts(look), goesOn: false, takesUpAll: true, turnsMax: 3 }),
  }
}

/** Whether agents have others below them in a round. */
export function hasTrees({ sessions }: RoundPlan): boolean {
  return sessions.some(({ tree }) => tree !== undefined)
}

/** Whether anything is there that a run can wait for: a person, a time, or somebody who finds something out. */
export async function isSomethingOpen(store: Store): Promise<boolean> {
  const found = await Promise.all([
    store.list({ kind: 'ticket', status: 'open', limit: 1 }),
    store.list({ kind: 'timer', status: 'due', limit: 1 }),
    store.list({ kind: 'call', status: 'uncertain', limit: 1 }),
  ])
  return found.flat().length > 0
}
