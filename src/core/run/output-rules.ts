import type { EventOf } from '../event.ts'
import type { Draft } from './draft.ts'
import { openRunOf, refuse } from './illegal.ts'

/** The answer of a step that ended nothing: the model is told so, and asked for another. */
export function outputRefused(draft: Draft, { run: id, step, message }: EventOf<'output.refused'>): void {
  const run = openRunOf(draft, id)
  const { outputRefused: before } = run
  if (step === 0 || step !== run.step) refuse(`Step ${step} is not the newest of the run ${id}.`)
  if (run.stepCalls.length > 0) refuse(`Step ${step} of the run ${id} made calls, and was no output.`)
  if (before?.step === step) refuse(`The output of step ${step} was refused already.`)
  draft.runs.set(id, { ...run, outputRefused: { step, count: (before?.count ?? 0) + 1 } })
  draft.added.push({ role: 'user', run: id, text: message, by: 'runtime' })
}
