import { shorterAskTimes } from '../../core/ask-times.ts'
import type { Bounds } from '../../core/policy/bounds.ts'
import { narrowerMode, type ToolMode } from '../../core/policy/mode.ts'
import type { SessionState } from '../../core/run/state.ts'
import type { Task } from '../../runtime/task.ts'
import type { Definition } from '../definition.ts'

/** What an agent allows those that it starts: what it may do itself, at this moment. */
export function boundsOf(task: Task): Bounds {
  const { principal: _principal, parent: _parent, ...layers } = task.layers()
  const above = task.bounds?.()
  return {
    ...layers,
    governed: layers.governed || task.mode !== undefined,
    agent: task.agent,
    ...shorterAskTimes(task),
    ...(task.mode === undefined ? {} : { mode: task.mode }),
    ...(above === undefined ? {} : { parent: above }),
  }
}

/** What bounds a child that is taken up by itself: what its log says of the agents above. What says nothing denies. */
export function recordedBounds({ parent }: SessionState): (() => Bounds) | undefined {
  if (parent === undefined) return undefined
  const { bounds = { agent: '', governed: true, unreachable: ['parent'] } } = parent
  return () => bounds
}

/** The mode of a child: the one that was asked for, else that of the run above, as far as the child's own options go. */
export function modeOfChild(
  child: Definition,
  wished: ToolMode | undefined,
  above: ToolMode | undefined,
): ToolMode | undefined {
  if (wished !== undefined) return wished
  if (above === undefined) return child.layers.governed ? child.defaultMode : undefined
  return child.defaultMode === 'ask' ? above : narrowerMode(above, child.defaultMode)
}
