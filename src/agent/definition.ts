import type { AskTimes } from '../core/ask-times.ts'
import type { Catalog } from '../core/catalog.ts'
import type { Runnable } from '../core/child.ts'
import type { Driver } from '../core/driver.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { OutputRule } from '../core/schema/output-rule.ts'
import type { ProviderTool } from '../core/tool/provider-tool.ts'
import type { ResultLimits } from '../runtime/budget.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { PolicyLayers } from '../runtime/task.ts'
import type { ApprovalHandler } from './approver.ts'
import type { HistoryBounds } from './context.ts'
import type { ResolvedFunctions } from './function-options.ts'
import type { InputFunction } from './input-request.ts'
import type { RunTimes } from './run-times.ts'
import type { StateDefinition } from './state-options.ts'

/** The method by which the kit for tests makes another agent out of one. */
export const redefine = Symbol.for('toolpost.redefine')

/** An agent after its configuration was checked: what sessions and runs work with. */
export interface Definition extends ResolvedFunctions, AskTimes {
  readonly name: string
  readonly driver: Driver
  readonly instructions?: string
  readonly catalog: Catalog
  /** The tools that the model's provider runs, by name. */
  readonly providerTools: readonly ProviderTool[]
  /** The agents that its tools may start. */
  readonly agents?: readonly Runnable[]
  readonly parts: RuntimeParts
  readonly approvals?: ApprovalHandler
  readonly inputs?: InputFunction
  readonly layers: PolicyLayers
  readonly defaultMode: ToolMode
  readonly history: HistoryBounds
  readonly results: ResultLimits
  readonly stepsMax: number
  readonly onUncertain: 'tell' | 'pause' | 'fail'
  readonly callsMax: number
  readonly modelAttempts: number
  /** What the output of its runs has to be. */
  readonly output?: OutputRule
  /** How long a run may take, unless it is started otherwise. */
  readonly times: RunTimes
  readonly state: StateDefinition
  /** What a flow is made of, part by part; a plain agent has none. */
  readonly structure?: string
  /** Of a flow: the part that it begins with and that takes a text only, so that images and files would be lost. */
  readonly textOnly?: string
  /** A call that fails ends the other calls of its step. */
  readonly failFast?: boolean
}
