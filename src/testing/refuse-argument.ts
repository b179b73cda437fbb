import { ToolpostError } from '../core/error.ts'

/** Errors: INVALID_ARGUMENT with this sentence. */
export function refuseArgument(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
