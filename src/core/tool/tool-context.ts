import type { ExecutableCall, ExecutionContext } from '../executor.ts'
import { controlSignal, type ToolContext } from './context.ts'

/** The context that a tool's function gets, from the call and what surrounds it. */
export function toolContext(call: ExecutableCall, context: ExecutionContext): ToolContext {
  return {
    args: call.args,
    toolName: call.name,
    callId: call.id,
    invocationId: context.run,
    runnable: { name: context.agent },
    session: context.session,
    signal: context.signal,
    idempotencyKey: context.idempotencyKey,
    attempt: context.attempt,
    progress: (progress) => context.progress(progress),
    readResult: (handle) => context.readResult(handle),
    output: (value) => controlSignal('output', value),
    end: () => controlSignal('end'),
  }
}
