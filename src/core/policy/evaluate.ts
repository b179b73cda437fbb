import { baseOf } from './base.ts'
import type { ToolClass } from './class.ts'
import type { PolicyFacts } from './facts.ts'
import { checkLayer } from './layers/check.ts'
import { contractLayer } from './layers/contract.ts'
import { grantLayer } from './layers/grant.ts'
import { killListLayer } from './layers/kill-list.ts'
import { modeLayer } from './layers/mode.ts'
import { parentLayer } from './layers/parent.ts'
import { profileLayer } from './layers/profile.ts'
import { recollect } from './layers/remembered.ts'
import { rulesLayer } from './layers/rules.ts'
import { sourceLayer } from './layers/source.ts'
import { toolLayer } from './layers/tool.ts'
import { unreachableLayers } from './layers/unreachable.ts'
import type { Base, DenyCategory, Layer, LayerEntry } from './layers.ts'
import type { ToolMode } from './mode.ts'
import {
  defaultQualities,
  type Qualities,
  stricterQualities,
  stricterVerdict,
  type Verdict,
} from './verdict.ts'

/** What is to become of a call, and why. */
export interface Decision {
  readonly verdict: Verdict
  /** The class that the call was judged under. */
  readonly toolClass: ToolClass
  /** The mode that it was judged under; absent when no mode governs the agent. */
  readonly mode?: ToolMode
  /** What kind of thing refused it; set when the verdict is `deny`. */
  readonly category?: DenyCategory
  /** What an ask demands. */
  readonly qualities: Qualities
  /** What each layer said, in the order of the layers, after those that could not be read. */
  readonly trace: readonly LayerEntry[]
  /** Why it runs, asks or is refused: one sentence for a person, without the text of private rules. */
  readonly reason: string
  /** The ticket of the remembered answer that settled it. */
  readonly remembered?: string
}

const layers: readonly Layer[] = [
  unreachableLayers,
  killListLayer,
  toolLayer,
  sourceLayer,
  contractLayer,
  rulesLayer,
  profileLayer,
  modeLayer,
  grantLayer,
  parentLayer,
  checkLayer,
]

/**
 * Decides about a call, or without one about offering its tool. The strictest layer wins; a layer that cannot
 * be read or understood refuses. Afterwards a remembered answer of a person is taken into account, the only
 * thing that can turn an ask into a run.
 */
export function evaluate(facts: PolicyFacts): Decision {
  const base = baseOf(facts)
  const trace = collect(facts, base)
  let verdict: Verdict = 'run'
  let qualities = defaultQualities(base.toolClass)
  for (const entry of trace) {
    if (entry.verdict !== undefined) verdict = stricterVerdict(verdict, entry.verdict)
    if (entry.qualities !== undefined) qualities = stricterQualities(qualities, entry.qualities)
  }
  const recollection = recollect(facts, base, { verdict, qualities })
  if (recollection === undefined) return settle(base, trace, qualities, deciding(trace, verdict))
  trace.push(recollection.entry)
  return { ...settle(base, trace, qualities, recollection.entry), remembered: recollection.ticket }
}

function collect(facts: PolicyFacts, base: Base): LayerEntry[] {
  const trace: LayerEntry[] = []
  for (const layer of layers) {
    const said = layer(facts, base)
    if (said === undefined) continue
    if ('layer' in said) trace.push(said)
    else for (const entry of said) trace.push(entry)
  }
  return trace
}

/** The first layer with the verdict that won. Either the mode or, where none governs, the tool has one. */
function deciding(trace: readonly LayerEntry[], verdict: Verdict): LayerEntry {
  return trace.find((entry) => entry.verdict === verdict)!
}

function settle(base: Base, trace: readonly LayerEntry[], qualities: Qualities, by: LayerEntry): Decision {
  const verdict = by.verdict!
  return {
    verdict,
    toolClass: base.toolClass,
    qualities,
    trace,
    reason: by.private === true ? privateReason(verdict) : by.reason,
    ...(base.mode !== undefined && { mode: base.mode }),
    ...(verdict === 'deny' && { category: by.category }),
  }
}

function privateReason(verdict: Verdict): string {
  return verdict === 'deny'
    ? 'A rule of the administrator refuses this call.'
    : 'A rule of the administrator wants a person to be asked.'
}
