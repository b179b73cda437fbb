import type {
  ExecutableCall,
  Execution,
  ExecutionContext,
  Executor,
  Reconciliation,
} from '../../core/executor.ts'
import { messageOf } from '../../core/message-of.ts'
import { readReconciliation } from '../../core/read-execution.ts'
import { isControlSignal } from '../../core/tool/context.ts'
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
  if (execute === undefined) {
    return { status: 'failed', code: 'no_execute', message: 'The tool has no function of its own.' }
  }
  try {
    const value = await execute(call.args, toolContext(call, context))
    if (!isControlSignal(value)) return { status: 'completed', value }
    return { status: 'completed', value: value.value, control: value.control }
  } catch (error) {
    return { status: 'failed', code: 'tool_error', message: messageOf(error), cause: error }
  }
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
