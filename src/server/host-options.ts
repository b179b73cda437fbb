import type { JsonObject } from '../core/json/value.ts'
import type { Contract, KillEntry, PolicyRule, ProfileFacts } from '../core/policy/facts.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { Store } from '../core/store.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { Model } from '../models/model.ts'
import type { RuntimeParts } from '../runtime/parts.ts'

import type { AuditSink } from './audit.ts'

/** A provider instance: models by the names that requests use, or a function that makes one of a name. */
export interface ProviderOptions {
  readonly models: Readonly<Record<string, Model>> | ((name: string) => Model | undefined)
  /** What it can do, by the names of `requiredCapabilities`; default `{ tools: true, textStreaming: true }`. */
  readonly capabilities?: Readonly<Record<string, boolean>>
}

/** What a host asks before a call that requires a review goes on. */
export interface ReviewedCall {
  readonly subject: string
  readonly runId: string
  /** A copy: changing it changes nothing. */
  readonly call: { readonly id: string; readonly name: string; readonly arguments: JsonObject }
}

/** How much a host does at a time. */
export interface HostLimits {
  /** The most answers of the model in a run; default 64. */
  readonly stepsMax?: number
  /** Tokens of all answers of one run, in and out; beyond them it fails before a tool runs. Default none. */
  readonly runTokensMax?: number
  /** Milliseconds without a sign of life after which any run is stopped; default none. */
  readonly idleTimeoutMs?: number
  /** Runs at work at once; those that wait for a person or for an application do not count. Default 32. */
  readonly concurrentRuns?: number
  /** Of one subject. Default 4. */
  readonly concurrentRunsPerSubject?: number
  /** Runs that wait for room, all together and of one subject; default none: a run without room is BUSY. */
  readonly queue?: { readonly total: number; readonly perSubject: number }
  /**
   * Milliseconds that a run without a session is kept after its end, a minute at least; then the host removes it with all
   * that it recorded, and its idempotency key is free. What nobody has reconciled stays. Default: all are kept.
   */
  readonly runRetentionMs?: number
  /** The same of a session after its last turn has ended. */
  readonly sessionRetentionMs?: number
  /** Streams that are open over the network; default 10,000. */
  readonly streams?: number
  /** Of one subject. Default 2,000. */
  readonly streamsPerSubject?: number
}

/** What `createHost` takes. */
export interface HostOptions {
  readonly providers: Readonly<Record<string, ProviderOptions>>
  /** Tools that run in the host. */
  readonly tools?: readonly Tool[]
  /** Whether callers may declare functions of their own; a review is required unless `requireApproval` is false. */
  readonly applicationTools?: {
    readonly enabled: boolean
    readonly requireApproval?: boolean
    /** Executions that wait for a result; default 1,000. */
    readonly maxPending?: number
    /** Of one subject; default the same. */
    readonly maxPendingPerSubject?: number
  }
  /** Whether people may be asked over the wire. */
  readonly approvals?: {
    readonly interactive: boolean
    /** Whether a review may stop the idle clock; default true. */
    readonly allowIdlePause?: boolean
    /** Approvals that wait for a decision; default 1,000. */
    readonly maxPending?: number
  }
  /** Asked about every call that requires a review, before a person is; anything but true refuses. */
  readonly approve?: (call: ReviewedCall, signal: AbortSignal) => boolean | Promise<boolean>
  /** Is told of every review and execution, before a review is shown or decided: what it cannot take does not hold. */
  readonly onAudit?: AuditSink
  /** Whether conversations can be kept; default true. */
  readonly sessions?: boolean
  /** Default: memory, which forgets with the process. */
  readonly store?: Store
  readonly limits?: HostLimits
  readonly defaultToolMode?: ToolMode
  readonly contract?: Contract
  readonly profile?: ProfileFacts
  readonly rules?: readonly PolicyRule[]
  readonly killed?: readonly KillEntry[]
  /** The clock, the ids, the dice and the owner's name, where they are not the real ones. */
  readonly parts?: Partial<Omit<RuntimeParts, 'store'>>
}
