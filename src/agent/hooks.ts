import type {
  AssistantPart,
  FinishReason,
  ModelMessage,
  ProviderToolSpecification,
  ToolSpecification,
  Usage,
} from '../core/driver.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { ToolClass } from '../core/policy/class.ts'
import type { StoredEvent } from '../core/store.ts'
import type { RunResult } from './run-result.ts'

/** Where a hook stands. */
export interface HookPlace {
  readonly session: { readonly id: string; readonly subject: string }
  readonly run: string
  readonly agent: string
  /** Aborts when the run is stopped, and when the hook's ten seconds are over. */
  readonly signal: AbortSignal
}

/** A run that begins. */
export interface RunHookContext extends HookPlace {
  /** What the user said. */
  readonly input: string
}

/** A run that has ended. */
export interface EndedRunContext extends HookPlace {
  readonly result: RunResult
}

/** What the model is about to be sent. */
export interface ModelHookRequest extends HookPlace {
  readonly step: number
  readonly messages: readonly ModelMessage[]
  /** Those that the policy lets the model see. */
  readonly tools: readonly ToolSpecification[]
  /** Those of them that the provider runs. */
  readonly providerTools: readonly ProviderToolSpecification[]
}

/** What is sent instead: each key that is given replaces its part. Or `answer`: no model is asked, this is what it said. */
export type BeforeModelAnswer =
  | {
      readonly messages?: readonly ModelMessage[]
      /** A message of the system, behind the agent's own instructions. */
      readonly instructions?: string
      /** Some of the tools, or their names; none that was not among them. */
      readonly tools?: readonly (string | { readonly name: string })[]
      /** The same for those that the provider runs. */
      readonly providerTools?: readonly (string | { readonly name: string })[]
    }
  | { readonly answer: string }

/** What the model answered, before it is written down and before any of its calls is looked at. */
export interface ModelHookAnswer extends HookPlace {
  readonly step: number
  /** The text of its parts. */
  readonly text: string
  readonly parts: readonly AssistantPart[]
  readonly finish: FinishReason
  readonly usage?: Usage
}

/** What counts as the model's answer instead. */
export type AfterModelAnswer =
  | string
  | { readonly parts: readonly AssistantPart[]; readonly finish?: FinishReason }

/** A call that is decided and would be claimed next. */
export interface ToolHookCall extends HookPlace {
  readonly step: number
  readonly call: {
    readonly id: string
    readonly modelCallId: string
    /** Binds tool, version and arguments. */
    readonly digest: string
  }
  readonly tool: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly source: string
    readonly version: string
    /** The class that the call was last judged under; absent when it has not been yet. */
    readonly toolClass?: ToolClass
  }
  /** Exactly what runs: checked, prepared, judged. Frozen; only `prepare` of the tool can make other arguments. */
  readonly args: JsonValue
  /** What a person gave a tool that stopped to ask. */
  readonly input?: JsonValue
}

/** Refuses the call, or stands in for the tool, which is then not entered. */
export type BeforeToolAnswer = { readonly refuse: string } | { readonly result: unknown }

/** A call that has ended. */
export type ToolHookOutcome = ToolHookCall &
  (
    | {
        readonly outcome: 'completed'
        /** What the tool gave, after its `finalize` and the hooks within. */
        readonly value: unknown
        readonly control?: 'output' | 'end'
      }
    | { readonly outcome: 'failed'; readonly code: string; readonly message: string }
  )

/** What the model reads instead, or why the result is not let through. Neither counts for a call that failed. */
export type AfterToolAnswer = { readonly result: unknown } | { readonly fail: string }

type Awaitable<Value> = Value | Promise<Value>
/** What a function gives, at once or later, or nothing: `null` is nothing too, as in `isFine ? null : { ... }`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return gives nothing.
export type OrNothing<Value> = Awaitable<Value | null | undefined | void>

/**
 * Functions around what an agent does. Of a list, the first is the outermost: `before...` run from the outside in,
 * `after...` from the inside out. Each has ten seconds, and one that gives nothing (`undefined` or `null`)
 * changes nothing.
 */
export interface Hooks {
  /** For sentences about it; default its place in the list. */
  readonly name?: string
  /** Before the first step: a text is the answer, and no model is asked. A throw ends the run as failed. */
  readonly beforeRun?: (context: RunHookContext) => OrNothing<string>
  /** When the run has ended; it can change nothing. */
  readonly afterRun?: (context: EndedRunContext) => OrNothing<never>
  /** Before every request to the model. A throw ends the run as failed. */
  readonly beforeModel?: (request: ModelHookRequest) => OrNothing<BeforeModelAnswer>
  /** After every answer; deltas are shown when all of these have let it pass. A throw ends the run as failed. */
  readonly afterModel?: (answer: ModelHookAnswer) => OrNothing<AfterModelAnswer>
  /** After the policy and any approval, before the claim. A throw refuses the call. */
  readonly beforeTool?: (call: ToolHookCall) => OrNothing<BeforeToolAnswer>
  /** After `finalize`, before the result is kept; never runs the tool again. A throw fails the call. */
  readonly afterTool?: (outcome: ToolHookOutcome) => OrNothing<AfterToolAnswer>
  /** Sees every event when it is stored, in order. A throw goes to `onError`. */
  readonly onEvent?: (event: StoredEvent) => unknown
  /**
   * What `onEvent`, `afterRun` and `afterTool` of a failed call threw, in whichever of the list's hooks, what was wrong
   * with an answer of the agent's `approvals` or `inputs`, and what an `onError` of the others threw.
   */
  readonly onError?: (error: unknown, source: ErrorSource) => unknown
}

/** Whose error `onError` is told: a hook, or who answers the agent's asks. */
export type ErrorSource = keyof Hooks | 'approvals' | 'inputs'

/** The keys that are functions. */
export const hookNames = [
  'beforeRun',
  'afterRun',
  'beforeModel',
  'afterModel',
  'beforeTool',
  'afterTool',
  'onEvent',
  'onError',
] as const satisfies readonly (keyof Hooks)[]
