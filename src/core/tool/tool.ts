import type { Executor, Reconciliation } from '../executor.ts'
import type { Exposure } from '../exposure.ts'
import type { JsonValue } from '../json/value.ts'
import type { ToolClass } from '../policy/class.ts'
import type { Verdict } from '../policy/verdict.ts'
import type { InferSchema, SchemaSource, StandardSource, ToolSchema } from '../schema/schema.ts'
import type { ControlSignal, FinalizeContext, ToolContext } from './context.ts'

/** How a throw is tried again within one call. Delays grow by the factor and are spread at random. */
export interface RetryPolicy {
  /** Tries in all, the first one included; at least 1. */
  readonly maxAttempts: number
  readonly initialDelayMs: number
  readonly maxDelayMs: number
  /** At least 1. */
  readonly backoffMultiplier: number
  /** False ends the retrying at once. */
  readonly retryableErrors?: (error: unknown) => boolean
}

/** What two equal calls of one answer mean: an error to the model, one run for both, or two runs. */
export type Dedupe = 'error' | 'share' | 'run'

/** What a per-call check answers: a verdict, alone or with the reason that a person will read. */
export type CheckAnswer = Verdict | { readonly verdict: Verdict; readonly reason?: string } | undefined

/** Where a tool comes from. */
export interface ToolSource {
  /** `function`, `application`, `mcp`, `workspace`, ... */
  readonly kind: string
  readonly name?: string
  readonly trusted: boolean
  readonly hints?: {
    readonly readOnly?: boolean
    readonly destructive?: boolean
    readonly openWorld?: boolean
    readonly idempotent?: boolean
  }
}

type Awaitable<Value> = Value | Promise<Value>

/** What is there when a tool that asks is entered: the answer, as its `yieldSchema` gave it. */
type Answered<Asked> = SchemaSource extends Asked ? unknown : { readonly input: InferSchema<Asked> }

/** The keys of a tool, each by itself. */
export interface ToolKeys<
  Source extends SchemaSource = SchemaSource,
  Result = unknown,
  Asked extends SchemaSource = SchemaSource,
> {
  /** 1 to 128 of letters, digits and `. _ : -`, beginning with a letter, a digit or `_`. */
  readonly name: string
  /** For people; default the name. */
  readonly title?: string
  /** Prompt: the reason why a model chooses this tool. */
  readonly description: string
  /** A Standard Schema with its JSON Schema extension (Zod 4, Valibot, ArkType), or a JSON Schema. Default: no arguments. */
  readonly schema?: Source
  /** Whether arguments that fail are converted without loss; default `lossless`, for a plain JSON Schema `off`. */
  readonly coercion?: 'lossless' | 'off'
  /** The result is checked against it before the model sees it. */
  readonly outputSchema?: SchemaSource
  /**
   * What a person answers: the tool stops to ask. Without `execute` the answer is the result; with it, `execute` runs
   * once with the answer as `context.input`.
   */
  readonly yieldSchema?: Asked
  /** Milliseconds for which a person is waited for; afterwards `yieldDefault` is the answer, or there is none. */
  readonly yieldTimeout?: number
  /** The answer when nobody gave one in time; `yieldSchema` must take it. */
  readonly yieldDefault?: unknown
  /** What the tool does, or what it does with these arguments. */
  readonly toolClass?: ToolClass | ((args: InferSchema<Source>) => ToolClass)
  readonly execute?: (
    args: InferSchema<Source>,
    context: ToolContext<InferSchema<Source>, InferSchema<Asked>> & Answered<Asked>,
  ) => Awaitable<Result | ControlSignal>
  /** Normalises; a value replaces the arguments, nothing keeps them. Must be pure: it runs before anybody is asked. */
  readonly prepare?: (
    args: InferSchema<Source>,
    context: ToolContext<InferSchema<Source>>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is a keeper.
  ) => Awaitable<InferSchema<Source> | undefined | void>
  /**
   * Shapes what the model sees; a value replaces the result, nothing keeps it. Only after a plain return. It has as long
   * again as `timeout` says, or ten seconds.
   */
  readonly finalize?: (
    args: InferSchema<Source>,
    context: FinalizeContext<InferSchema<Source>, Awaited<Result>, InferSchema<Asked>> & Answered<Asked>,
  ) => Awaitable<unknown>
  /** Looks at the final arguments and may make the verdict stricter. A throw, or ten seconds, is a no. */
  readonly check?: (
    args: InferSchema<Source>,
    context: ToolContext<InferSchema<Source>>,
  ) => Awaitable<CheckAnswer>
  /** Finds out what became of a call whose outcome nobody saw. */
  readonly reconcile?: (
    args: InferSchema<Source>,
    context: ToolContext<InferSchema<Source>, InferSchema<Asked>> & Answered<Asked>,
  ) => Awaitable<Reconciliation>
  readonly retry?: RetryPolicy
  /** Milliseconds for `execute`, retries included; `finalize` has as many of its own. */
  readonly timeout?: number
  /** True: may overlap with other parallel calls of its step. Default false. */
  readonly parallel?: boolean
  /** Default `direct`. */
  readonly exposure?: Exposure
  /** True: may be run again after a crash, because twice is as good as once. Default: read tools only. */
  readonly repeatable?: boolean
  /** Default `error`; calls of class read always run. */
  readonly dedupe?: Dedupe
  /** How long an approval may be remembered at most; default `rule`, for external and destructive `session`. */
  readonly remember?: 'none' | 'session' | 'rule'
}

type There = NonNullable<unknown>

/** What carries a call: a person's answer, or a function. */
type Carried = { readonly yieldSchema: There } | { readonly execute: There }

/** An object whose members are schemas is none itself; all else is looked at when the tool is made. */
type Whole<Source> = Source extends StandardSource | boolean
  ? unknown
  : Extract<Source[keyof Source], { readonly '~standard': unknown }> extends never
    ? unknown
    : 'An object of schemas is no schema: wrap it, as in z.object({ ... }).'

/** What `tool()` takes. */
export type ToolConfig<
  Source extends SchemaSource = SchemaSource,
  Result = unknown,
  Asked extends SchemaSource = SchemaSource,
> = ToolKeys<Source, Result, Asked> &
  Carried & { readonly schema?: Whole<Source>; readonly yieldSchema?: Whole<Asked> }

/** A declared tool. Made by `tool()`, or by a source; frozen. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly schema: ToolSchema
  readonly outputSchema?: ToolSchema
  readonly yieldSchema?: ToolSchema
  readonly yieldTimeoutMs?: number
  readonly yieldDefault?: { readonly value: JsonValue }
  readonly toolClass?: ToolClass
  readonly classOf?: (args: unknown) => unknown
  /** Digest of what the model and the policy know of the tool: another one voids decisions. */
  readonly version: string
  readonly exposure: Exposure
  readonly parallel: boolean
  readonly repeatable?: boolean
  readonly dedupe: Dedupe
  readonly remember?: 'none' | 'session' | 'rule'
  readonly timeoutMs?: number
  readonly retry?: RetryPolicy
  readonly source: ToolSource
  /** Whether a person reviews its calls, of an application's tool; of all others the mode says so. */
  readonly review?: 'run' | 'ask'
  readonly executor: Executor
  readonly prepare?: (args: unknown, context: ToolContext) => unknown
  readonly finalize?: (args: unknown, context: FinalizeContext) => unknown
  readonly check?: (args: unknown, context: ToolContext) => unknown
}
