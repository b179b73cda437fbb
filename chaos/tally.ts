import type { Part } from './act.ts'
import type { DriveEnd } from './orders.ts'

/** What is counted of the rounds, one by one, so that a run in which nothing happens is seen. */
export const countNames = [
  'sessions',
  'claims',
  'claims of a second or later attempt',
  'effects',
  'effects of reads that no claim protects',
  'completed calls',
  'uncertain calls',
  'calls that were orphaned by a kill',
  'calls that were looked up and had run',
  'calls that were looked up and had not run',
  'late outcomes',
  'reconciled by somebody',
  'asks',
  'approved',
  'declined',
  'answers acknowledged',
  'answers refused as TICKET_DECIDED',
  'asks answered by two at once',
  'answers in the log whose giver was killed before he knew',
  'events shown to a reader',
  'runs completed',
  'runs ended as uncertain',
] as const

/** What is counted of trees besides. */
export const treeCountNames = [
  'children started',
  'calls orphaned below the top',
  'questions',
  'questions answered',
  'questions declined',
  'questions answered by a default',
  'questions that expired',
  'claims given back for a child',
  'claims given back until a time',
  'child runs cancelled',
  'flows failed',
] as const

export type CountName = (typeof countNames)[number] | (typeof treeCountNames)[number]

type Role = Part['role']

/** Counts what the rounds of a run did. */
export class Tally {
  readonly counts: Map<CountName, number>
  /** Kills by where they landed: `at before append: claim`, `at any moment, after append: ask`. */
  readonly kills = new Map<string, number>()
  readonly killedRoles = new Map<Role, number>()
  /** How drives that were not killed came out, by who drove. */
  readonly drives = new Map<string, number>()
  rounds = 0
  treeRounds = 0

  constructor(hasTrees: boolean) {
    const names = hasTrees ? [...countNames, ...treeCountNames] : countNames
    this.counts = new Map(names.map((name) => [name, 0]))
  }

  add(name: CountName, count = 1): void {
    raise(this.counts, name, count)
  }

  killed(part: Part, place: string): void {
    raise(
      this.kills,
      `${part.kill === undefined ? 'at any moment, last passed ' : 'at '}${place || 'nothing'}`,
    )
    raise(this.killedRoles, part.role)
  }

  drove(role: Role, ends: readonly DriveEnd[]): void {
    for (const { came } of ends) raise(this.drives, `${role}: ${came}`)
  }

  /** How many kills landed at a point of this kind; `undefined` counts those at any moment. */
  killsAt(kind: string | undefined): number {
    const start = kind === undefined ? 'at any moment' : `at ${kind}`
    const found = [...this.kills].filter(
      ([where]) => where === start || new RegExp(`^${start}[:,]`).test(where),
    )
    return found.reduce((sum, [, count]) => sum + count, 0)
  }

  /** How many drives came to this, whoever drove. */
  drivesTo(came: string): number {
    const found = [...this.drives].filter(([key]) => key.endsWith(`: ${came}`))
    return found.reduce((sum, [, count]) => sum + count, 0)
  }

  /** The tables, as text. */
  text(): string {
    const kills = [...this.kills.values()].reduce((sum, count) => sum + count, 0)
    return [
      this.treeRounds === 0
        ? `${this.rounds} rounds`
        : `${this.rounds} rounds, ${this.treeRounds} of them of trees`,
      table('counted', this.counts),
      table(`${kills} kills, by who was killed`, this.killedRoles),
      table('kills, by where they landed', this.kills),
      table('drives that came to an end, by who drove', this.drives),
    ].join('\n\n')
  }
}

function raise<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`)
  if (title !== 'counted') rows.sort((a, b) => (a.slice(12) < b.slice(12) ? -1 : 1))
  return [title, ...rows].join('\n')
}
