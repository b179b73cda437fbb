import { ToolpostError } from '../../core/error.ts'
import type { RunState } from '../../core/run/state.ts'
import type { Definition } from '../definition.ts'

/**
 * A flow goes on only as what it was when its run began: its place in it would be another one otherwise.
 * Errors: DEFINITION_CHANGED with the parts that came and went.
 */
export function refuseOtherStructure({ name, structure }: Definition, run: RunState | undefined): void {
  if (run === undefined || run.structure === structure) return
  const before = partsOf(run.structure)
  const now = partsOf(structure)
  const changes = [
    ...before.filter((part) => !now.includes(part)).map((part) => `gone: ${part}`),
    ...now.filter((part) => !before.includes(part)).map((part) => `new: ${part}`),
  ]
  const what = changes.length === 0 ? ['its parts stand in another order'] : changes
  throw new ToolpostError(
    'DEFINITION_CHANGED',
    `The flow "${name}" is not what it was when the run ${run.id} began, so the run was not taken up: ${what.join('; ')}.`,
    { details: { run: run.id, changes: what } },
  )
}

function partsOf(structure: string | undefined): readonly string[] {
  return structure === undefined ? [] : structure.split('\n').map((part) => part.trim())
}
