import type { Session } from '../agent/session.ts'
import type { ApprovalDecision } from '../core/decision.ts'
import type { ExecutableCall } from '../core/executor.ts'
import type { CallState } from '../core/run/state.ts'
import { type OpenAsk, openAsks } from './open-asks.ts'
import type { ScriptPlay } from './script-play.ts'

/** Answers the asks that the script has answers to; false when it has none. */
export async function giveAnswers(
  session: Session,
  play: ScriptPlay,
  tickets: readonly string[],
): Promise<boolean> {
  let isGiven = false
  for (const ask of openAsks(session, tickets)) {
    const values = play.use(ask.kind === 'input' ? 'input' : 'decide', ask.call.name)
    if (values === undefined) continue
    await giveAnswer(session, ask, values[rankOf(session, ask.call)])
    isGiven = true
  }
  return isGiven
}

async function giveAnswer(session: Session, { ticket, kind }: OpenAsk, value: unknown): Promise<void> {
  if (value instanceof Error) await session.decide(ticket, { approved: false, reason: value.message })
  else if (kind === 'input') await session.answer(ticket, value)
  else await session.decide(ticket, value as ApprovalDecision)
}

/** How many calls of the same tool stand before a call in its answer. */
export function rankOf(session: Session, { id, name }: Pick<ExecutableCall, 'id' | 'name'>): number {
  const calls = session.state.calls
  const call = calls.get(id)
  const isEarlier = (each: CallState) =>
    each.run === call?.run && each.step === call.step && each.name === name && each.index < call.index
  return [...calls.values()].filter(isEarlier).length
}
