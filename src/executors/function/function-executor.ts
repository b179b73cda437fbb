import { isRunnable, type Runnable } from '../../core/child.ts'
import type {
  ExecutableCall,
  Execution,
  ExecutionContext,
  Executor,
  Reconciliation,
} from '../../core/executor.ts'
import { messageOf } from '../../core/message-of.ts'
import { readReconciliation } from '../../core/read-execution.ts'
import { type ControlSignal, isControlSignal } from '../../core/tool/context.ts'
import type { LooseConfig } from '../../core/tool/define-tool.ts'
import { toolContext } from '../../core/tool/tool-context.ts'

/** Carries a call in this process: the developer's own function. */
export function functionExecutor(config: LooseConfig): Executor {
  const { execute, reconcile } = config
  return {
    execute: (call, context) => run(execute, call, context),
    ...(reconcile === undefined
      ? {}
      : { reconcile: (call: ExecutableCall, context: ExecutionContext) => look(reconcile, call, context) }),
  }
}

async function run(
  execute: LooseConfig['execute'],
  call: ExecutableCall,
  context: ExecutionContext,
): Promise<Execution> {
  // What a person answered is the result of a tool that only asks.
  if (execute === undefined) return { status: 'completed', value: call.input }
  try {
    const value = await entered(execute, call, context)
    if (isRunnable(value)) return await handOver(context, value, undefined)
    if (!isControlSignal(value)) return { status: 'completed', value }
    return await controlled(context, value)
  } catch (error) {
    return { status: 'failed', code: 'tool_error', message: messageOf(error), cause: error }
  }
}

async function entered(
  execute: NonNullable<LooseConfig['execute']>,
  call: ExecutableCall,
  context: ExecutionContext,
): Promise<unknown> {
  let hasReturned = false
  try {
    return await execute(
      call.args,
      toolContext(call, context, () => hasReturned),
    )
  } finally {
    hasReturned = true
  }
}

async function controlled(context: ExecutionContext, { control, value }: ControlSignal): Promise<Execution> {
  switch (control) {
    case 'rest':
      return { status: 'resting', on: [], until: value as number }
    case 'hand_over': {
      const { agent, input } = value as { agent: Runnable; input?: string }
      return await handOver(context, agent, input)
    }
    default:
      return { status: 'completed', value, control }
  }
}

/** The other agent's end is the run's; one that came to no good end is for the model to know. */
async function handOver(
  { children }: ExecutionContext,
  agent: Runnable,
  input: string | undefined,
): Promise<Execution> {
  const result = await children?.handOver(agent, input)
  if (result === undefined)
    return { status: 'failed', code: 'tool_error', message: 'Nothing can be handed over here.' }
  if (result.status === 'completed')
    return { status: 'completed', value: result.output ?? result.text, control: 'output' }
  const message = `The agent "${agent.name}" ended as ${result.status}: ${result.text}`
  return { status: 'failed', code: 'child_failed', message }
}

async function look(
  reconcile: NonNullable<LooseConfig['reconcile']>,
  call: ExecutableCall,
  context: ExecutionContext,
): Promise<Reconciliation> {
  try {
    return readReconciliation(await reconcile(call.args, toolContext(call, context)))
  } catch {
    return { found: 'unknown' }
  }
}
