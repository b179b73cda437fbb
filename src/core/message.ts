import type { AssistantPart, FinishReason } from './driver.ts'
import type { FileReference } from './file.ts'

/** What the user said. */
export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  readonly files?: readonly FileReference[]
}

/** What the model said in one step. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly step: number
  readonly parts: readonly AssistantPart[]
  readonly finish: FinishReason
  /** A hook, or the handler of the model's errors, said this in the model's place. */
  readonly by?: 'hook' | 'handler'
}
