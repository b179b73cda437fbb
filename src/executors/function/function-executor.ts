import { isRunnable, type Runnable } from '../../core/child.ts'
import type {
  ExecutableCall,
  Execution,
  ExecutionContext,
  Executor,
  Reconciliation,
} from '../../core/executor.ts'
import type { RunInput } from '../../core/input-part.ts'
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
    const { value, made } = await entered(execute, call, context)
    if (isRunnable(value)) return await handOver(context, value, undefined)
    if (!isControlSignal(value)) {
      if (made !== undefined) context.warn?.(unreturned(call, made))
      return { status: 'completed', value }
    }
    return await controlled(context, value)
  } catch (error) {
    return { status: 'failed', code: 'tool_error', message: messageOf(error), cause: error }
  }
}

async function entered(
  execute: NonNullable<LooseConfig['execute']>,
  call: ExecutableCall,
  context: ExecutionContext,
): Promise<{ readonly value: unknown; readonly made: string | undefined }> {
  let hasReturned = false
  let made: string | undefined
  const noteMade = (name: string) => {
    made = name
  }
  try {
    const around = toolContext(call, context, () => hasReturned, noteMade)
    const value = await execute(call.args, around)
    return { value, made }
  } finally {
    hasReturned = true
  }
}

/** What it made would have ended or rested its call. */
function unreturned({ name, id }: ExecutableCall, made: string): string {
  return `The tool "${name}" called context.${made}() in the call ${id} and returned something else, so that it counts for nothing: write "return context.${made}(...)".`
}

async function controlled(context: ExecutionContext, { control, value }: ControlSignal): Promise<Execution> {
  switch (control) {
    case 'rest':
      return { status: 'resting', on: [], until: value as number }
    case 'hand_over': {
      const { agent, input } = value as { agent: Runnable; input?: RunInput }
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
  input: RunInput | undefined,
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
