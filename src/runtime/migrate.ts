import type { Actor, Event } from '../core/event.ts'
import type { CallState, SessionState } from '../core/run/state.ts'
import type { LeaseProof } from '../core/store.ts'
import { closeAsk } from './cancel.ts'
import type { Journal } from './journal.ts'
import type { RuntimeParts } from './parts.ts'
import type { Accepted } from './validator.ts'

/** A call and the arguments that passed the tool as it is now. */
export interface Migrated {
  readonly call: CallState
  readonly accepted: Accepted
}

/** Where calls are migrated. */
export interface Migrating {
  readonly journal: Journal
  readonly lease: LeaseProof
  readonly parts: Pick<RuntimeParts, 'clock'>
}

const by: Actor = { id: 'runtime', method: 'migration' }

/**
 * Gives calls that have not begun other arguments, all in one append. What was decided or answered about the old ones
 * holds no longer: open asks are closed, and the calls are judged and asked about like new ones.
 */
export async function migrateCalls(
  { journal, lease, parts }: Migrating,
  migrated: readonly Migrated[],
): Promise<void> {
  const now = parts.clock.now()
  await journal.write((state) => migrated.flatMap((each) => migrateEvents(state, each, now)), lease)
}

/** Closes the open asks of calls that are void: nobody is to decide about what will not run, or to answer it. */
export async function closeAsks(
  { journal, lease, parts }: Migrating,
  calls: readonly string[],
): Promise<void> {
  const now = parts.clock.now()
  const closed = (state: SessionState) =>
    calls.flatMap((id) => {
      const call = state.calls.get(id)
      return call === undefined ? [] : closeAsk(state, call, by, now)
    })
  await journal.write(closed, lease)
}

function migrateEvents(state: SessionState, { call, accepted }: Migrated, now: number): Event[] {
  const current = state.calls.get(call.id)
  if (current === undefined || current.digest !== call.digest || hasBegun(current)) return []
  const { args, digest: to, version, reparse, coerced } = accepted
  const conversions = coerced === undefined ? {} : { coerced }
  const facts = { call: call.id, from: current.digest as string, to, version, args, ...conversions, by }
  return [
    ...closeAsk(state, current, by, now),
    { type: 'call.migrated', ...facts, ...(reparse === undefined ? {} : { reparse: true }) },
  ]
}

/** Whether the tool was entered, here or outside. */
export function hasBegun({ status }: CallState): boolean {
  return ['started', 'resting', 'handed_out', 'ended'].includes(status)
}
