import type { PolicyFacts } from '../facts.ts'
import type { Base, LayerEntry } from '../layers.ts'
import { matchesRemembered, type RememberedApproval } from '../remembered.ts'
import type { Qualities, Verdict } from '../verdict.ts'

/** What the other layers came to. */
export interface Standing {
  readonly verdict: Verdict
  readonly qualities: Qualities
}

/** The remembered answer that counts, and its entry in the trace. */
export interface Recollection {
  readonly entry: LayerEntry
  readonly ticket: string
}

/**
 * What a person answered earlier in the session. A refusal refuses; an approval turns an ask into a run, and
 * it is the only thing that does. It never turns a refusal into anything, nor an ask that may not be remembered.
 */
export function recollect(facts: PolicyFacts, base: Base, standing: Standing): Recollection | undefined {
  if (facts.remembered === undefined || facts.remembered.length === 0) return undefined
  if (standing.verdict === 'deny') return undefined
  const subject = { tool: facts.tool.name, version: facts.tool.version, toolClass: base.toolClass }
  const fitting = facts.remembered.filter((answer) => matchesRemembered(answer, subject))
  const answer = fitting.find(({ approved }) => approved !== true) ?? fitting[0]
  if (answer === undefined) return undefined
  if (answer.approved !== true) return recollection(answer, 'deny', 'refused')
  if (standing.verdict !== 'ask' || !mayAnswer(standing.qualities)) return undefined
  return recollection(answer, 'run', 'approved')
}

/** One remembered answer cannot stand for several people. */
function mayAnswer(qualities: Qualities): boolean {
  return qualities.remember !== 'none' && qualities.approversMin <= 1
}

function recollection(answer: RememberedApproval, verdict: Verdict, verb: string): Recollection {
  const why = answer.reason === undefined ? '.' : `: ${answer.reason}`
  return {
    ticket: answer.ticket,
    entry: {
      layer: 'remembered',
      verdict,
      category: 'rule',
      reason: `${answer.by} ${verb} this tool for the rest of the session${why}`,
    },
  }
}
