import type { Style } from './output.ts'

/** A line of a run's story. */
export interface StoryLine {
  readonly mark: string
  readonly style?: Style
  readonly text: string
}
