import type { Script } from './script.ts'
import { scriptsOfCalls } from './scripts-of-calls.ts'
import { scriptsOfLimits } from './scripts-of-limits.ts'
import { scriptsOfReturn } from './scripts-of-return.ts'
import { scriptsOfReviews } from './scripts-of-reviews.ts'

/** Every script, in the order of the table. */
export const scripts: readonly Script[] = [
  ...scriptsOfCalls,
  ...scriptsOfReviews,
  ...scriptsOfReturn,
  ...scriptsOfLimits,
]
