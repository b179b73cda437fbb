import type { AnsweredPart } from '../core/driver.ts'
import type { Answer, Task } from '../runtime/task.ts'
import type { Definition } from './definition.ts'

/**
 * The warning of an answer that ends the run and says nothing: the provider calls it whole, so that the run completes.
 * None where an output is read from the answer, which refuses it, nor of a flow, whose last part may give nothing.
 */
export function warningOfEmpty(
  { driver, structure }: Definition,
  { output }: Pick<Task, 'output'>,
  { parts, finish }: Answer,
): string | undefined {
  if (structure !== undefined || output !== undefined) return undefined
  if ((finish !== 'stop' && finish !== 'calls') || !parts.every(saysNothing)) return undefined
  return `The model ${driver.name} answered with no text and no call; the run completes without words.`
}

function saysNothing(part: AnsweredPart): boolean {
  return (
    part.kind === 'reasoning' || part.kind === 'source' || (part.kind === 'text' && part.text.trim() === '')
  )
}
