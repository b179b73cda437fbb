import type { ChildStarter } from '../child.ts'
import { ToolpostError } from '../error.ts'
import type { ExecutableCall, ExecutionContext } from '../executor.ts'
import { checkOptions } from '../known-keys.ts'
import { type ControlSignal, controlSignal, type ToolContext } from './context.ts'

/**
 * The context that a tool's function gets, from the call and what surrounds it. `hasReturned` says that the function has
 * returned, after which nothing that ends or rests its call can be made; `onMade` is told of what was.
 */
export function toolContext(
  call: ExecutableCall,
  context: ExecutionContext,
  hasReturned: () => boolean = () => false,
  onMade: (name: string) => void = () => {},
): ToolContext {
  const made = (name: string, control: ControlSignal['control'], value?: unknown) => {
    if (hasReturned()) throw returned(call, name)
    const signal = controlSignal(control, value)
    onMade(name)
    return signal
  }
  return {
    args: call.args,
    ...('input' in call ? { input: call.input } : {}),
    toolName: call.name,
    callId: call.id,
    invocationId: context.run,
    parentInvocationId: context.parentRun,
    runnable: { name: context.agent },
    session: context.session,
    get state() {
      return context.state
    },
    signal: context.signal,
    idempotencyKey: context.idempotencyKey,
    attempt: context.attempt,
    progress: (progress) => context.progress(progress),
    readResult: (handle) => context.readResult(handle),
    output: (value) => made('output', 'output', value),
    end: () => made('end', 'end'),
    run: async (agent, options) => await startedBy(context).run(agent, options),
    spawn: (agent, options) => startedBy(context).spawn(agent, options),
    dispatch: async (agent, options) => await startedBy(context).dispatch(agent, options),
    handOver: (agent, options = {}) => {
      checkOptions(options, ['input'], 'context.handOver()')
      return made('handOver', 'hand_over', { agent, input: options.input })
    },
    retryAfter: (delayMs) => made('retryAfter', 'rest', timeAfter(context.now(), delayMs)),
  }
}

function returned({ id }: ExecutableCall, name: string): ToolpostError {
  return new ToolpostError(
    'INVALID_ARGUMENT',
    `The call ${id} has returned: context.${name}() is made, and returned, in execute, and nowhere else.`,
  )
}

function startedBy({ children }: ExecutionContext): ChildStarter {
  if (children !== undefined) return children
  throw new ToolpostError('INVALID_ARGUMENT', 'Other agents are started in the execute of a tool only.')
}

function timeAfter(now: number, delayMs: unknown): number {
  const isDelay = typeof delayMs === 'number' && delayMs >= 0 && now + delayMs <= lastTime
  if (isDelay) return now + delayMs
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    'retryAfter takes a number of milliseconds, 0 or more, after which there still is a date.',
  )
}

/** The last time that a date can be (ECMA-262, time values). */
const lastTime = 8.64e15
