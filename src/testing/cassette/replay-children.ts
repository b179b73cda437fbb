import { boundsOf } from '../../agent/children/bounds-of.ts'
import { adopted } from '../../agent/children/child-session.ts'
import { childNamed, definitionOf } from '../../agent/children/known-agents.ts'
import type { Definition } from '../../agent/definition.ts'
import type { ParentLink } from '../../core/parent-link.ts'
import type { Cassette, CassetteCall, CassetteChild } from './cassette.ts'
import type { ReplayPlace, UnplayedChild } from './replay-report.ts'
import type { AboveStage, Stage } from './stage.ts'

/** A child that a replay can play: with the agent as it is now, under what the agents above allow now. */
interface PlayableChild {
  readonly definition: Definition
  readonly recorded: Cassette
  readonly above: AboveStage
  readonly place: ReplayPlace
}

/** The children of a recording, as far as their calls ran again: those that can be played, and why the others cannot. */
export function childrenToPlay(
  definition: Definition,
  stage: Stage,
  recorded: Cassette,
): { readonly playable: readonly PlayableChild[]; readonly unplayed: readonly UnplayedChild[] } {
  const playable: PlayableChild[] = []
  const unplayed: UnplayedChild[] = []
  for (const { call, place } of callsOf(recorded)) {
    for (const child of ranAgain(stage, call) ? (call.children ?? []) : []) {
      const where = { ...place, tool: call.name, agent: child.agent }
      const known = childNamed(definition, child.agent)
      if (child.cassette === undefined)
        unplayed.push({ ...where, sentence: `The cassette has no recording of "${child.agent}".` })
      else if (known === undefined)
        unplayed.push({
          ...where,
          sentence: `The agent "${child.agent}" is not known to be a child of this one.`,
        })
      else
        playable.push({
          definition: adopted(definition, definitionOf(known)),
          recorded: child.cassette,
          above: aboveOf(stage, recorded, call, child),
          place: { ...place, agent: child.agent },
        })
    }
  }
  return { playable, unplayed }
}

function ranAgain({ journal }: Stage, { id }: CassetteCall): boolean {
  return (journal.state.calls.get(id)?.attempt ?? 0) > 0
}

function callsOf({ runs }: Cassette) {
  return runs.flatMap(({ steps }, run) =>
    steps.flatMap(({ calls }, step) =>
      calls.map((call, index) => ({ call, place: { run: run + 1, step: step + 1, call: index + 1 } })),
    ),
  )
}

function aboveOf(
  stage: Stage,
  { session }: Cassette,
  { id }: CassetteCall,
  { kind }: CassetteChild,
): AboveStage {
  const { state } = stage.journal
  const run = state.calls.get(id)?.run ?? ''
  const bounds = () => boundsOf(stage.taskOf(run))
  const { name } = stage.definition
  const link: ParentLink = {
    session,
    run,
    call: id,
    path: [...(state.parent?.path ?? []), name],
    root: state.parent?.root ?? session,
    kind,
    bounds: bounds(),
  }
  return { link, bounds }
}
