import { type Frame, spend } from '../frame.ts'
import type { Pattern } from '../pattern.ts'

/** Up to this size the engine is at few of a pattern's places at a time, whatever the text. */
const sizeMax = 1_000

/** Whether a pattern matches. Linear is not free: a long text may meet many patterns, or one with large repeats. */
export function spentTest(pattern: Pattern, text: string, frame: Frame): boolean {
  const weight = pattern.size > sizeMax ? pattern.size / 16 : 1 / 8
  spend(frame, Math.floor(text.length * weight))
  return pattern.test(text)
}
