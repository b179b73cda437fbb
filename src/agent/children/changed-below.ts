import { isToolpostError } from '../../core/error.ts'
import { Journal } from '../../runtime/journal.ts'
import { refuseChange } from '../changed-agent.ts'
import type { Definition } from '../definition.ts'
import { refuseOtherStructure } from '../flows/structure.ts'
import { openChildren } from './child-logs.ts'
import { adopted } from './child-session.ts'
import { childNamed, definitionOf } from './known-agents.ts'

/**
 * Before a run is taken up: looks whether the children that would go on with it are what they were, as far as they are
 * known here. Errors: DEFINITION_CHANGED for one that is not, and refuses that; nothing is written.
 */
export async function refuseChangedBelow(
  definition: Definition,
  journal: Journal,
  run: string,
): Promise<void> {
  const calls = [...journal.state.calls.values()].filter((call) => call.run === run)
  for (const session of calls.flatMap(openChildren)) await refuseChangedChild(definition, session)
}

async function refuseChangedChild(above: Definition, session: string): Promise<void> {
  const journal = await opened(above, session)
  const run = journal?.state.openRun
  const known = journal && childNamed(above, journal.state.agent)
  if (journal === undefined || run === undefined || known === undefined) return
  const definition = adopted(above, definitionOf(known))
  refuseOtherStructure(definition, journal.state.runs.get(run))
  refuseChange({ definition, journal, run })
  await refuseChangedBelow(definition, journal, run)
}

/** A child that was written down and never begun has no log. */
async function opened({ parts }: Definition, session: string): Promise<Journal | undefined> {
  try {
    return await Journal.open(parts.store, session, parts.clock)
  } catch (error) {
    if (isToolpostError(error) && error.code === 'SESSION_NOT_FOUND') return undefined
    throw error
  }
}
