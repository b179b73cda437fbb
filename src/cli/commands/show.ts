import type { FinishReason } from '../../core/driver.ts'
import type { Event } from '../../core/event.ts'
import type { StoredEvent } from '../../core/store.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { findRun } from '../find-run.ts'
import { eventLines, type StoryNames } from '../terminal/event-lines.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { Output } from '../terminal/output.ts'

/** Tells a run's story: messages, calls, decisions with who, when and why, outcomes. */
export async function show(run: string, options: AgentOptions): Promise<number> {
  return await withAgents(placeOf(options), async ({ store }) => {
    const row = await findRun(store, run)
    const events = eventsOfRun(await store.read(row.stream), run)
    const { session, model } = row.data
    if (options.json === true) writeJson({ run, status: row.status, session, model, events })
    else tell(run, row.status, String(model), events)
    return 0
  })
}

type FlatEvent = Event & { readonly sequence: number; readonly at: number }

/** The events of one run: those that name it, and those of its calls. */
function eventsOfRun(stored: readonly StoredEvent[], run: string): readonly FlatEvent[] {
  const calls = new Set<string>()
  return stored
    .filter(({ event }) => {
      if (event.type === 'call.proposed' && event.run === run) calls.add(event.call)
      return 'run' in event ? event.run === run : 'call' in event && calls.has(event.call)
    })
    .map(({ event, sequence, at }) => ({ ...event, sequence, at }))
}

function tell(run: string, status: string, model: string, events: readonly FlatEvent[]): void {
  const output = new Output(process.stdout)
  const names = namesOf(events)
  output.line(`${output.style('bold', run)}  ${status}  ${inertLine(model)}`)
  for (const event of events) {
    const when = output.style('dim', new Date(event.at).toISOString().slice(11, 23))
    for (const { mark, style, text } of eventLines(event, names)) {
      const shown = style === undefined ? mark : output.style(style, mark)
      const [first = '', ...more] = text.split('\n')
      output.line(`${when}  ${mark === '' ? '' : `${shown} `}${first}`)
      for (const line of more) output.line(`${' '.repeat(14)}${line}`)
    }
    for (const line of reasons(event)) output.line(output.style('dim', `${' '.repeat(16)}${line}`))
  }
}

/** Why an ask was opened: what each layer of the policy said. */
function reasons(event: Event): readonly string[] {
  if (event.type !== 'approval.requested') return []
  const spoken = event.decision.trace.filter((entry) => entry.verdict !== undefined && entry.private !== true)
  return spoken.map(({ layer, verdict, reason }) => `${layer} [${verdict}]: ${inertLine(reason)}`)
}

function namesOf(events: readonly FlatEvent[]): StoryNames {
  const names = new Map<string, string>()
  let finish: FinishReason | undefined
  for (const event of events) {
    if (event.type === 'call.proposed') names.set(event.call, event.name)
    if (event.type === 'message.added' && event.message.role === 'assistant') finish = event.message.finish
  }
  return { toolOf: (call) => names.get(call) ?? call, finishOf: () => finish }
}
