import { canonicalJson } from '../../core/json/canonical.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { CassetteCall, CassetteDecision, CassetteOutcome } from './cassette.ts'
import { fromJsonText } from './recorded-values.ts'
import type { ReplayDifference } from './replay-report.ts'

/** A difference before anybody has said where it stands. */
export type Found = Pick<ReplayDifference, 'at' | 'before' | 'after' | 'sentence'>

/** Whether two parts of cassettes say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** A part of a cassette as a value of a report. */
export function shown(value: unknown): JsonValue {
  return (value ?? null) as JsonValue
}

/** What became of a call now, held against what became of it then. */
export function compareCalls(before: CassetteCall, after: CassetteCall): readonly Found[] {
  const found = compareArguments(before, after)
  if (before.decision?.verdict !== after.decision?.verdict) return [...found, verdictChanged(before, after)]
  return [...found, ...compareAsks(before, after), ...compareEnds(before, after)]
}

function compareArguments(before: CassetteCall, after: CassetteCall): Found[] {
  if (before.argsJson === undefined || after.argsJson === undefined) return []
  const [was, is] = [fromJsonText(before.argsJson), fromJsonText(after.argsJson)]
  if (isSame(was, is)) return []
  const sentence = 'What would run has other arguments than what ran.'
  return [{ at: 'arguments', before: was, after: is, sentence }]
}

const verbs: Readonly<Record<CassetteDecision['verdict'] | 'none', readonly [was: string, is: string]>> = {
  run: ['ran', 'runs'],
  ask: ['asked', 'asks'],
  deny: ['was denied', 'is denied'],
  refused: ['was refused', 'is refused'],
  none: ['was not judged', 'is not judged'],
}

function verdictChanged(before: CassetteCall, after: CassetteCall): Found {
  const [was] = verbs[before.decision?.verdict ?? 'none']
  const [, is] = verbs[after.decision?.verdict ?? 'none']
  const why = after.decision === undefined ? '' : `: ${after.decision.reason}`
  const sentence = `It ${was}, and now it ${is}${why}${endOf(why)} ${consequence(before, after)}`.trimEnd()
  return { at: 'decision', before: shown(before.decision), after: shown(after.decision), sentence }
}

function endOf(text: string): string {
  return text.endsWith('.') ? '' : '.'
}

function consequence(before: CassetteCall, after: CassetteCall): string {
  const ran = before.outcome?.status === 'completed' || before.outcome?.status === 'failed'
  const { outcome } = after
  if (outcome?.status === 'failed' && outcome.code === 'not_recorded')
    return 'The recording has no result of it.'
  if (outcome?.status === 'refused' && outcome.category === 'no_handler')
    return 'The recording has no answer, so it was declined, and its recorded result was not given.'
  return ran && outcome?.status === 'refused' ? 'Its recorded result was not given.' : ''
}

/** Why something runs is told to nobody; why it asks or is denied is. */
function compareAsks(before: CassetteCall, after: CassetteCall): Found[] {
  const found: Found[] = []
  const { decision } = before
  if (decision?.verdict !== 'run' && decision?.reason !== after.decision?.reason) {
    const sentence = `The reason is another one: ${after.decision?.reason ?? ''}`
    found.push({ at: 'decision', before: shown(decision), after: shown(after.decision), sentence })
  } else if (!isSame(before.asks, after.asks)) {
    const sentence =
      before.asks.length === after.asks.length
        ? 'An ask about it, or the answer, is another one.'
        : `It asked ${times(before.asks.length)}, and now it asks ${times(after.asks.length)}.`
    found.push({ at: 'decision', before: shown(before.asks), after: shown(after.asks), sentence })
  }
  return found
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function compareEnds(before: CassetteCall, after: CassetteCall): Found[] {
  const pairs = [
    [before.outcome, after.outcome, 'The outcome'],
    [before.late, after.late, 'The late report'],
  ] as const
  const found = pairs
    .filter(([was, is]) => !isSame(was, is))
    .map(([was, is, what]): Found => {
      return { at: 'result', before: shown(was), after: shown(is), sentence: `${what} ${change(was, is)}` }
    })
  if (isSame(before.found, after.found)) return found
  const sentence = 'What was found out about it no longer applies.'
  return [...found, { at: 'result', before: shown(before.found), after: shown(after.found), sentence }]
}

function change(was: CassetteOutcome | undefined, is: CassetteOutcome | undefined): string {
  const [before, after] = [was, is].map(statusOf)
  return before === after ? 'says something else.' : `was ${before}, and now it is ${after}.`
}

function statusOf(outcome: CassetteOutcome | undefined): string {
  if (outcome === undefined) return 'open'
  return 'code' in outcome ? `${outcome.status} (${outcome.code})` : outcome.status
}
