import fc from 'fast-check'
import type { Event, StoredEvent } from '../../src/index.ts'

type Entry = Pick<StoredEvent, 'at' | 'sequence' | 'event'>

/** A change of a log; the numbers from 0 to 1 choose places, so that one change fits logs of every length. */
export interface LogChange {
  readonly kind: 'drop' | 'repeat' | 'swap' | 'move' | 'leaf' | 'type' | 'member'
  readonly at: number
  readonly to: number
  readonly leaf: number
  /** Whether the sequences are made to fit afterwards, as who forges a log would. */
  readonly renumbered: boolean
}

/** A part of a length; a double would be near 0 most of the time. */
export const share: fc.Arbitrary<number> = fc.integer({ min: 0, max: 999_999 }).map((n) => n / 1_000_000)

export const logChanges: fc.Arbitrary<LogChange> = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'swap', 'move', 'leaf', 'leaf', 'leaf', 'type', 'member'),
  at: share,
  to: share,
  leaf: share,
  renumbered: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
})

const chosen = (length: number, part: number) => Math.floor(part * length)

/** The log with one thing changed. */
export function changedLog(log: readonly Entry[], change: LogChange): Entry[] {
  const copy = [...log]
  if (copy.length === 0) return copy
  const [at, to] = [chosen(copy.length, change.at), chosen(copy.length, change.to)]
  const entry = copy[at]!
  if (change.kind === 'drop') copy.splice(at, 1)
  if (change.kind === 'repeat') copy.splice(to, 0, entry)
  if (change.kind === 'swap') [copy[at], copy[to]] = [copy[to]!, entry]
  if (change.kind === 'move') copy.splice(to, 0, ...copy.splice(at, 1))
  if (change.kind === 'leaf') copy[at] = { ...entry, event: withLeaf(entry.event, log, change) }
  if (change.kind === 'type')
    copy[at] = { ...entry, event: { ...entry.event, type: copy[to]!.event.type } as Event }
  if (change.kind === 'member') copy[at] = { ...entry, event: withoutMember(entry.event, change) }
  return change.renumbered ? copy.map((each, index) => ({ ...each, sequence: index + 1 })) : copy
}

function withoutMember(event: Event, { leaf }: LogChange): Event {
  const keys = Object.keys(event)
  const gone = keys[chosen(keys.length, leaf)]
  return Object.fromEntries(Object.entries(event).filter(([key]) => key !== gone)) as unknown as Event
}

type Path = readonly (string | number)[]

function leaves(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
}

/** An event in which one number, one truth or one text is another: a text becomes another one of the log. */
function withLeaf(event: Event, log: readonly Entry[], change: LogChange): Event {
  const all = leaves(event)
  const leaf = all[chosen(all.length, change.leaf)]!
  const others = log
    .flatMap((entry) => leaves(entry.event))
    .filter(({ value }) => typeof value === typeof leaf.value)
  const other = others[chosen(others.length, change.to)]!.value
  const replacement = typeof leaf.value === 'boolean' ? !leaf.value : other
  const copy: unknown = structuredClone(event)
  const owner = leaf.path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy)
  ;(owner as Record<string, unknown>)[leaf.path.at(-1)!] = replacement
  return copy as Event
}
