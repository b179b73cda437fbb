import { ToolpostError } from '../core/error.ts'
import { changeBetween, changeSentences, isSameFingerprint } from '../core/fingerprint.ts'
import { asJson } from '../core/json/as-json.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { isRecord } from '../core/known-keys.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import type { CallState, SessionState } from '../core/run/state.ts'
import type { LeaseProof } from '../core/store.ts'
import { validateMigrated } from '../runtime/edited-arguments.ts'
import type { Journal } from '../runtime/journal.ts'
import { closeAsks, hasBegun, type Migrated, migrateCalls } from '../runtime/migrate.ts'
import { orAborted, withDeadline } from '../runtime/race.ts'
import type { Definition } from './definition.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { ChangeAnswer, ChangedCall, ChangeFunction, DefinitionChange, Migration } from './on-change.ts'

/** An unfinished run that is taken up. */
export interface TakenUp {
  readonly definition: Definition
  readonly journal: Journal
  readonly lease: LeaseProof
  readonly run: string
}

/**
 * Before a run is taken up: when the agent is not what it was, its `onChange` decides. The asks of calls that are
 * void then are closed. Errors: DEFINITION_CHANGED; then nothing is written.
 */
export async function settleChange(taken: TakenUp): Promise<void> {
  const { definition } = taken
  const { onChange = 'ask again', parts } = definition
  const change = changeOf(taken)
  if (change === undefined) return
  const answer = typeof onChange === 'function' ? await ask(taken, onChange, change) : onChange
  if (answer === 'refuse') throw refusal(definition, change, [])
  if (typeof answer === 'object') await migrate(taken, change, answer)
  const isVoid = ({ id, from }: ChangedCall) => taken.journal.state.calls.get(id)?.version === from
  const left = change.calls.filter(isVoid).map(({ id }) => id)
  if (left.length > 0) await closeAsks({ ...taken, parts }, left)
}

/** The same for an agent whose `onChange` is `refuse`, by its look alone: nothing is written and nobody is asked. Errors: DEFINITION_CHANGED. */
export function refuseChange(looked: Omit<TakenUp, 'lease'>): void {
  if (looked.definition.onChange !== 'refuse') return
  const change = changeOf(looked)
  if (change !== undefined) throw refusal(looked.definition, change, [])
}

/** How the agent differs from what it was when the run began; undefined when it does not. */
function changeOf({ definition, journal, run }: Omit<TakenUp, 'lease'>): DefinitionChange | undefined {
  const { state } = journal
  if (state.openRun !== run) return undefined
  const now = fingerprintOf(definition)
  const calls = changedCalls(definition, state, run)
  const isSame = state.fingerprint === undefined || isSameFingerprint(state.fingerprint, now)
  if (isSame && calls.length === 0) return undefined
  const change = changeBetween(state.fingerprint ?? now, now)
  const sentences = [...changeSentences(change), ...calls.map(sentenceOf)]
  return { ...change, calls, sentences }
}

/** Calls that were checked by another version of their tool and have not begun. */
function changedCalls({ catalog }: Definition, state: SessionState, run: string): ChangedCall[] {
  return openCalls(state, run).flatMap((call): ChangedCall[] => {
    const { id, name: tool, version: from = '', args } = call
    const now = catalog.find(tool)
    if (now?.version === from) return []
    const about = { id, tool, from, args: args as JsonValue }
    return [now === undefined ? { ...about, is: 'missing' } : { ...about, is: 'changed', to: now.version }]
  })
}

function openCalls(state: SessionState, run: string): CallState[] {
  const ids = state.runs.get(run)?.stepCalls ?? []
  const calls = ids.flatMap((id) => state.calls.get(id) ?? [])
  return calls.filter((call) => !hasBegun(call) && call.version !== undefined)
}

function sentenceOf({ id, tool, is }: ChangedCall): string {
  return is === 'missing'
    ? `the call ${id} waits for "${tool}", which is gone`
    : `the call ${id} waits for "${tool}", which changed`
}

function refusal(
  { name }: Definition,
  { sentences }: DefinitionChange,
  faults: readonly string[],
  cause?: unknown,
): ToolpostError {
  const why = [...sentences, ...faults].join('; ')
  return new ToolpostError(
    'DEFINITION_CHANGED',
    `The agent "${name}" is not what it was when the run began, so the run was not taken up: ${why}.`,
    { details: { changes: sentences, faults }, ...(cause === undefined ? {} : { cause }) },
  )
}

async function ask(
  { definition, journal, run }: TakenUp,
  decide: ChangeFunction,
  change: DefinitionChange,
): Promise<ChangeAnswer> {
  const { id, subject } = journal.state
  const answer = await bounded(definition, change, () => decide(change, { id, subject, run }))
  if (answer === 'continue' || answer === 'refuse') return answer
  if (isMigration(answer)) return answer
  throw refusal(definition, change, ['onChange answered neither "continue" nor "refuse" nor { args } alone'])
}

/** It has no other key: what it says beside the arguments would be lost. */
function isMigration(answer: unknown): answer is Migration {
  return (
    isRecord(answer) &&
    typeof answer.args === 'function' &&
    Object.keys(answer).every((key) => key === 'args')
  )
}

/** The function is the developer's: a throw of it refuses, and so does one that does not end. */
async function bounded<Value>(
  definition: Definition,
  change: DefinitionChange,
  action: () => Value | Promise<Value>,
): Promise<Value> {
  const unstopped = new AbortController().signal
  const deciding = async (signal: AbortSignal) => {
    const ended = await orAborted((async () => await action())(), signal)
    if ('value' in ended) return ended.value
    throw signal.reason
  }
  try {
    return await withDeadline(definition.parts.clock, 'onChange', limits.prepareMs, unstopped, deciding)
  } catch (error) {
    throw refusal(definition, change, [`onChange failed: ${messageOf(error, 500)}`], error)
  }
}

/** All new arguments are checked before the first is written. */
async function migrate(taken: TakenUp, change: DefinitionChange, { args }: Migration): Promise<void> {
  const migrated: Migrated[] = []
  const faults: string[] = []
  for (const call of change.calls.filter(({ is }) => is === 'changed')) {
    const given = await bounded(taken.definition, change, () => args(call))
    if (given === undefined) continue
    const result = await migratedCall(taken, call, given)
    if ('fault' in result) faults.push(result.fault)
    else migrated.push(result)
  }
  if (faults.length > 0) throw refusal(taken.definition, change, faults)
  if (migrated.length > 0) await migrateCalls({ ...taken, parts: taken.definition.parts }, migrated)
}

async function migratedCall(
  { definition, journal }: TakenUp,
  { id, tool: name }: ChangedCall,
  given: unknown,
): Promise<Migrated | { fault: string }> {
  const tool = definition.catalog.find(name)
  const call = journal.state.calls.get(id)
  const json = asJson(given)
  if (tool === undefined || call === undefined || json === undefined)
    return { fault: `the migrated arguments of ${id} are no JSON (${whyNotJson(given)})` }
  const surrounding = { parts: definition.parts, signal: new AbortController().signal }
  const validated = await validateMigrated(surrounding, tool, json)
  if ('accepted' in validated) return { call, accepted: validated.accepted }
  return { fault: `the migrated arguments of ${id} do not pass "${name}": ${validated.refused.message}` }
}
