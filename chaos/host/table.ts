import type { FinishedPlay } from './play-hosts.ts'

const columns = ['after', 'lost', 'during', 'every'] as const

type Column = (typeof columns)[number]

/** What was played, a line a script: how often the host was killed where, and how many of these plays had faults. */
export function tableOf(plays: readonly FinishedPlay[]): string {
  const names = [...new Set(plays.map(({ script }) => script.name))]
  const rows = names.map((name) =>
    rowOf(
      name,
      plays.filter(({ script }) => script.name === name),
    ),
  )
  const total = rowOf('all', plays)
  const head = ['script', 'steps', 'plays', ...columns, 'kills', 'connections', 'failed']
  const lines = [head, ...rows, total]
  const widths = head.map((_cell, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line) => line.map((cell, at) => padded(cell, widths[at] ?? 0, at)).join('  ')).join('\n')
}

/** One play with what was found in it, and how to play it again. */
export function describePlay({ script, kills, faults }: FinishedPlay): string {
  const where = kills.map(
    ({ when, step, waitMs }) => `${when} ${step}${waitMs === undefined ? '' : ` (${waitMs} ms)`}`,
  )
  const step = kills.length === 1 ? ` --step ${kills[0]?.step}` : ''
  const again = `npm run chaos:host -- --script ${JSON.stringify(script.name)}${step} --repeat 5`
  return [`${script.name}, killed ${where.join(', ') || 'never'}; ${again}`, ...faults].join('\n  ')
}

function rowOf(name: string, plays: readonly FinishedPlay[]): readonly string[] {
  const sum = (count: (play: FinishedPlay) => number) => plays.reduce((all, play) => all + count(play), 0)
  const steps = sum(({ kills, steps: played }) => (kills.length === 0 ? played.length : 0))
  return [
    name,
    ...[
      steps,
      plays.length,
      ...columns.map((column) => plays.filter(({ kills }) => columnOf(kills) === column).length),
      sum(({ hostsKilled }) => hostsKilled),
      sum(({ connections }) => connections),
      plays.filter(({ faults }) => faults.length > 0).length,
    ].map(String),
  ]
}

function columnOf(kills: FinishedPlay['kills']): Column | undefined {
  return kills.length > 1 ? 'every' : kills[0]?.when
}

function padded(cell: string, width: number, at: number): string {
  return at === 0 ? cell.padEnd(width) : cell.padStart(width)
}
