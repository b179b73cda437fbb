import type { ToolClass } from './class.ts'
import type { PolicyFacts } from './facts.ts'
import type { ToolMode } from './mode.ts'
import type { Qualities, Verdict } from './verdict.ts'

/** The layers of a decision, in the order in which they stand in its trace. */
export const layerNames = [
  'kill-list',
  'tool',
  'source',
  'contract',
  'rules',
  'profile',
  'mode',
  'grant',
  'parent',
  'check',
  'remembered',
] as const

/** Who said something about a call. */
export type LayerName = (typeof layerNames)[number]

/** Which kind of thing refused a call. */
export type DenyCategory =
  | 'mode'
  | 'contract'
  | 'profile'
  | 'rule'
  | 'grant'
  | 'budget'
  | 'dynamic'
  | 'unknown'
  | 'kill'
  | 'parent'
  | 'hook'

/** What one layer said, as plain data for the log. */
export interface LayerEntry {
  readonly layer: LayerName
  readonly verdict?: Verdict
  /** The class that the layer gave; the strictest one counts. */
  readonly toolClass?: ToolClass
  /** The widest mode that the layer allows. */
  readonly modeMax?: ToolMode
  readonly qualities?: Partial<Qualities>
  /** What a refusal by this entry is counted as. */
  readonly category: DenyCategory
  /** One sentence. */
  readonly reason: string
  readonly ruleId?: string
  /** True when the reason is for administrators only. */
  readonly private?: boolean
}

/** What is settled before the layers are asked: under which class and mode the call is judged. */
export interface Base {
  readonly toolClass: ToolClass
  /** False when no layer gave a class. */
  readonly classGiven: boolean
  /** Absent for an ungoverned function of the developer's own, which no mode decides about. */
  readonly mode?: ToolMode
  readonly modeFrom: 'session' | 'default' | 'profile' | 'parent'
}

/** One layer: pure, and able only to make the decision stricter. */
export type Layer = (facts: PolicyFacts, base: Base) => LayerEntry | readonly LayerEntry[] | undefined
