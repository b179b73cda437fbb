import type { Agent } from '../../agent/agent.ts'
import { definitionOf } from '../../agent/children/known-agents.ts'
import type { Definition } from '../../agent/definition.ts'
import { checkOptions } from '../../core/known-keys.ts'
import { checkAgent } from '../check-options.ts'
import { type LoggedEvent, loggedEvents } from '../logged-event.ts'
import type { Cassette, CassetteRun } from './cassette.ts'
import { compareCassettes } from './compare-cassettes.ts'
import { largeTexts, recordedFrom } from './export-cassette.ts'
import { parseCassette } from './parse-cassette.ts'
import { Player } from './player.ts'
import { childrenToPlay } from './replay-children.ts'
import type { ReplayPlace, ReplayReport } from './replay-report.ts'
import { type AboveStage, Stage } from './stage.ts'

/** How a cassette is replayed. */
export interface ReplayOptions {
  /**
   * Runs each tool's `finalize` over its recorded results, which it shaped once already; default false: recorded
   * results are given as they stand.
   */
  readonly finalize?: boolean
}

/**
 * Plays a cassette on an agent, in a new store in memory. The model is the recorded answers; no tool executes: what
 * each call came to is given in its place. Asks are answered as they were. All else is the agent as it is now: its
 * tools' schemas, `prepare`, `toolClass` and `check`, its policy and its limits, at the time of the recording. What
 * it decides otherwise is a difference, and a call that is no longer allowed gets no result.
 *
 * The agent is not changed; its model, store and approval handler are not asked, and none of its hooks is run: recorded
 * answers and results are what they had made of them. Its `onToolFailure` is asked as it is now.
 *
 * Errors: INVALID_ARGUMENT for what is no agent, no cassette or no option.
 *
 * @example
 * const report = await replay(shopkeeper, JSON.parse(readFileSync('refund.json', 'utf8')))
 * if (!report.same) console.log(formatReplay(report))
 */
export async function replay(
  agent: Agent,
  cassette: Cassette,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  checkAgent(agent)
  checkOptions(options, ['finalize'], 'replay()')
  return await played(definitionOf(agent), parseCassette(cassette), options)
}

/** Plays a session, and then the child runs in it. */
async function played(
  definition: Definition,
  recorded: Cassette,
  options: ReplayOptions,
  above?: AboveStage,
): Promise<ReplayReport> {
  const stage = new Stage(definition, recorded, above)
  await stage.open(recorded)
  await new Player(stage, recorded, options.finalize === true).play()
  await stage.close()
  const { store } = stage.definition.parts
  const events = loggedEvents(await store.read(stage.journal.stream))
  const replayed = recordedFrom(events, await textsOf(events, recorded, stage))
  const differences = compareCassettes(recorded, replayed, definition)
  const { playable, unplayed } = childrenToPlay(definition, stage, recorded)
  let report: ReplayReport = { same: true, differences, unplayed, ...countsOf(replayed.runs), events }
  for (const child of playable) {
    const below = await played(child.definition, child.recorded, options, child.above)
    report = withChild(report, child.place, below)
  }
  return { ...report, same: report.differences.length === 0 }
}

function withChild(report: ReplayReport, place: ReplayPlace, below: ReplayReport): ReplayReport {
  const placed = <Found extends { readonly inside?: readonly ReplayPlace[] }>(each: Found): Found => ({
    ...each,
    inside: [place, ...(each.inside ?? [])],
  })
  return {
    ...report,
    differences: [...report.differences, ...below.differences.map(placed)],
    unplayed: [...report.unplayed, ...below.unplayed.map(placed)],
    runs: report.runs + below.runs,
    steps: report.steps + below.steps,
    calls: report.calls + below.calls,
  }
}

/** Large results by their handles: as the cassette has them, redacted or not, or as a `finalize` made them now. */
function textsOf(
  events: readonly LoggedEvent[],
  recorded: Cassette,
  stage: Stage,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map(recorded.runs.flatMap(largeOf))
  const { store } = stage.definition.parts
  return largeTexts(events, async (handle) => {
    const bytes = known.has(handle) ? undefined : await store.getBlob(stage.journal.stream, handle)
    return known.get(handle) ?? new TextDecoder().decode(bytes)
  })
}

function largeOf({ steps }: CassetteRun): [handle: string, text: string][] {
  const calls = steps.flatMap((step) => step.calls)
  return calls
    .flatMap(({ outcome, late }) => [outcome, late])
    .flatMap((each) =>
      each?.status === 'completed' && each.large !== undefined ? [[each.large.handle, each.text]] : [],
    )
}

function countsOf(runs: readonly CassetteRun[]): Pick<ReplayReport, 'runs' | 'steps' | 'calls'> {
  const steps = runs.flatMap((run) => run.steps)
  return { runs: runs.length, steps: steps.length, calls: steps.flatMap((step) => step.calls).length }
}
