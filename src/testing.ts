export { countedIds } from './testing/counted-ids.ts'
export { manualClock } from './testing/manual-clock.ts'
export type { ManualClock } from './testing/manual-clock.ts'
