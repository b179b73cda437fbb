import { isDeepStrictEqual } from 'node:util'
import type { CallState, EventOf, IndexRow } from '../src/index.ts'
import { checkAnswers } from './check-answers.ts'
import { checkAsked } from './check-asked.ts'
import { checkTold } from './check-told.ts'
import { checkTree, endingsOf } from './check-tree.ts'
import type { EffectLine } from './evidence.ts'
import type { PlayedRound } from './play-round.ts'
import { type ReadRound, type ReadSession, readRound } from './read-round.ts'
import { afterKillInTree, callKindOf, isUnclaimed } from './tree-tool-kinds.ts'

/** Everything in which a round does not keep what the runtime promises, as sentences; and what was read for it. */
export async function checkRound(
  played: PlayedRound,
): Promise<{ readonly faults: readonly string[]; readonly read?: ReadRound }> {
  try {
    const read = await readRound(played.folder, played.plan)
    const faults = [
      ...read.sessions.flatMap((session) => [
        ...checkEnd(session),
        ...checkRows(session),
        ...checkAsked(session),
      ]),
      ...checkEffects(played, read),
      ...checkOrphans(played, read),
      ...checkAnswers(read),
      ...checkTold(read),
      ...checkTree(read),
    ]
    return { faults, read }
  } catch (error) {
    return { faults: [`The round cannot be read: ${error instanceof Error ? error.stack : error}`] }
  }
}

/** One run, ended, and no call of it left open. */
function checkEnd({ id, state }: ReadSession): string[] {
  const statuses: string[] = [...state.runs.values()].map(({ ended }) => ended?.status ?? 'open')
  // A child may have been given up before its run began.
  const isCount = statuses.length === 1 || (statuses.length === 0 && state.parent !== undefined)
  const open = [...state.calls.values()].filter(({ end }) => end === undefined)
  return [
    ...(isCount ? [] : [`Session ${id} has ${statuses.length} runs.`]),
    ...statuses
      .filter((status) => !endingsOf(state).includes(status))
      .map((status) => `The run of session ${id} is ${status}.`),
    ...open.map((call) => `${called(call)} of session ${id} has no end.`),
  ]
}

/** The index is what the log says. */
function checkRows({ id, rows, rebuilt }: ReadSession): string[] {
  const keyed = (all: readonly IndexRow[]) => new Map(all.map((row) => [`${row.kind} ${row.id}`, row]))
  const [stored, wanted] = [keyed(rows), keyed(rebuilt)]
  const keys = new Set([...stored.keys(), ...wanted.keys()])
  return [...keys]
    .filter((key) => !isDeepStrictEqual(stored.get(key), wanted.get(key)))
    .map(
      (key) =>
        `The index of session ${id} has for ${key} ${JSON.stringify(stored.get(key))}; its log says ${JSON.stringify(wanted.get(key))}.`,
    )
}

function claimsOf({ sessions }: ReadRound): Map<string, EventOf<'call.started'>[]> {
  const started = sessions.flatMap(({ log }) =>
    log.flatMap(({ event }) => (event.type === 'call.started' ? [event] : [])),
  )
  return Map.groupBy(started, ({ call }) => call)
}

/** No effect without exactly one claim; how often each call may have had one; no effect of what was declined. */
function checkEffects({ plan }: PlayedRound, read: ReadRound): string[] {
  const claims = claimsOf(read)
  const faults = read.effects.flatMap((effect) => checkEffect(read, claims, effect))
  const mayRunTwice = plan.acts.some((act) =>
    act.some((part) => part.do !== 'answer' && part.clockAheadMs > 0),
  )
  const byCall = Map.groupBy(read.effects, ({ call }) => call)
  for (const { state } of read.sessions) {
    for (const call of state.calls.values()) {
      faults.push(...checkCall(call, byCall.get(call.id) ?? [], mayRunTwice))
    }
  }
  return faults
}

function checkEffect(
  { sessions, effects }: ReadRound,
  claims: Map<string, EventOf<'call.started'>[]>,
  effect: EffectLine,
): string[] {
  const { call, claim, tool, key, args } = effect
  const what = `The effect of ${tool} ${call}, claim ${claim},`
  const made = (claims.get(call) ?? []).filter(({ attempt }) => attempt === claim)
  // A read is protected by no claim: what was folded ahead of the store is lost with the process, and made again.
  if (isUnclaimed(tool)) return made.length <= 1 ? [] : [`${what} has ${made.length} claims in the log.`]
  const known = sessions.find(({ id }) => id === effect.session)?.state.calls.get(call)
  const same = effects.filter((other) => other.call === call && other.claim === claim)
  return [
    ...(made.length === 1 ? [] : [`${what} has ${made.length} claims in the log.`]),
    ...(same.length === 1 ? [] : [`${what} took place ${same.length} times.`]),
    ...(key === call ? [] : [`${what} had the idempotency key ${key}.`]),
    ...(isDeepStrictEqual(known?.args, args) ? [] : [`${what} had other arguments than the log.`]),
    ...(isDeepStrictEqual(known?.input?.value, effect.input)
      ? []
      : [`${what} had another answer than the log.`]),
  ]
}

function checkCall(call: CallState, effects: readonly EffectLine[], mayRunTwice: boolean): string[] {
  const { end } = call
  const afterKill = afterKillInTree(call.name)
  const kind = callKindOf(call.name)
  const runsOnce = afterKill === 'uncertain' || (afterKill !== 'again' && !mayRunTwice)
  const isUncertain = end?.status === 'failed' && end.effect === 'uncertain'
  const isDone = end?.status === 'completed'
  return [
    ...(runsOnce && effects.length > 1 ? [`${called(call)} had ${effects.length} effects.`] : []),
    ...(effects.length > 0 && !isDone && !isUncertain && kind !== 'read'
      ? [`${called(call)} had an effect and ended as ${JSON.stringify(end)}.`]
      : []),
    ...(isDone && effects.length === 0 && kind !== 'passes on'
      ? [`${called(call)} is completed and had no effect.`]
      : []),
    ...(call.attempt === 0 && effects.length > 0 && !isUnclaimed(call.name)
      ? [`${called(call)} was never claimed and had an effect.`]
      : []),
  ]
}

/** A call whose process was killed between claim and outcome is shown as uncertain, in the log and in the index. */
function checkOrphans({ orphans }: PlayedRound, { sessions, kills }: ReadRound): string[] {
  const killed = kills.flatMap(({ kind, call }) =>
    kind.endsWith('effect') && call !== undefined ? [call] : [],
  )
  const faults: string[] = []
  for (const id of new Set([...orphans, ...killed])) {
    const session = sessions.find(({ state }) => state.calls.has(id))
    const call = session?.state.calls.get(id)
    if (session === undefined || call === undefined || afterKillInTree(call.name) !== 'uncertain') continue
    const row = session.rows.find((each) => each.kind === 'call' && each.id === id)
    const { end } = call
    const isShown = end?.status === 'failed' && end.effect === 'uncertain'
    const status = call.reconciled === undefined && call.late === undefined ? 'uncertain' : 'reconciled'
    if (!isShown) faults.push(`${called(call)} lost its process and ended as ${JSON.stringify(end)}.`)
    if (row?.status !== status)
      faults.push(`${called(call)} is ${row?.status ?? 'not'} in the index, not ${status}.`)
  }
  return faults
}

function called({ name, id }: CallState): string {
  return `The call ${name} ${id}`
}
