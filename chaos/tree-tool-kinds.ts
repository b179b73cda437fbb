import type { Tool } from '../src/index.ts'
import { type AfterKill, afterKillOf } from './chaos-tools.ts'

interface WaitingKind {
  readonly toolClass: NonNullable<Tool['toolClass']>
  readonly parallel?: true
  /** Asks a person for an answer. */
  readonly asks?: true
  /** How long the person is waited for, and what is answered when he says nothing. */
  readonly askMs?: number
  readonly isAnswered?: true
  /** The answer is the result: the tool does nothing by itself. */
  readonly isAnswer?: true
  /** How often the claim is given back until a time, and for how long. */
  readonly putsOff?: { readonly times: number; readonly ms: number }
}

/** Tools that wait: for an answer, or for a time. The long times are over only for whoever comes much later. */
export const waitingKinds = {
  ask: { toolClass: 'write', asks: true },
  confirm: { toolClass: 'external', asks: true },
  tell: { toolClass: 'read', asks: true, isAnswer: true },
  guess: { toolClass: 'write', asks: true, askMs: 40, isAnswered: true },
  ponder: { toolClass: 'write', asks: true, askMs: 300_000, isAnswered: true },
  hurry: { toolClass: 'write', asks: true, askMs: 40 },
  later: { toolClass: 'write', putsOff: { times: 1, ms: 15 } },
  again: { toolClass: 'external', parallel: true, putsOff: { times: 3, ms: 5 } },
  poll: { toolClass: 'read', parallel: true, putsOff: { times: 2, ms: 10 } },
  tomorrow: { toolClass: 'write', putsOff: { times: 1, ms: 400_000 } },
} as const satisfies Readonly<Record<string, WaitingKind>>

/** The tools that wait. */
export const waitingToolNames = Object.keys(waitingKinds) as readonly (keyof typeof waitingKinds)[]

/** What the tools that start others are called by. */
export const starterNames = ['call', 'run', 'act'] as const

/** A tool that waits, by its name. */
export function waitingKind(name: string): WaitingKind | undefined {
  return (waitingKinds as Readonly<Record<string, WaitingKind>>)[name]
}

/** The part of a flow that acts. */
export const stampName = 'stamp'

/** What a call of a tree is a call of: a plain tool, a tool that waits, a starter, or a part of a flow. */
export type CallKind = 'effect' | 'read' | 'passes on'

/** Whether a completed call of this tool has had an effect; `read`: looks and may look again, with an effect each time. */
export function callKindOf(name: string): CallKind {
  const kind = waitingKind(name)
  if (kind?.isAnswer === true || name === 'flow_end' || name.startsWith('call_')) return 'passes on'
  if (isPart(name)) return name.endsWith(`_${stampName}`) ? 'effect' : 'passes on'
  if (name.startsWith('run_') || name === 'look' || name === 'peek') return 'read'
  return kind?.toolClass === 'read' ? 'read' : 'effect'
}

/** Whether a tool is of class read, whose effect is protected by no claim. */
export function isUnclaimed(name: string): boolean {
  return callKindOf(name) === 'read' && name !== 'peek'
}

/** What becomes of a call of a tree when its process is killed. */
export function afterKillInTree(name: string): AfterKill {
  if (callKindOf(name) !== 'effect') return 'again'
  return name.startsWith('act_') || isPart(name) || waitingKind(name) !== undefined
    ? 'uncertain'
    : afterKillOf(name)
}

/** Parts of a flow are called by their place. */
function isPart(name: string): boolean {
  return /^\d+_/.test(name)
}
