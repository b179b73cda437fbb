import { type Catalog, createCatalog } from '../core/catalog.ts'
import type { ExecutableCall, Execution, ExecutionContext, Executor } from '../core/executor.ts'
import type { Tool } from '../core/tool/tool.ts'

/** The value that stands in for a call's execution; undefined: the tool runs. */
export type ScriptedResult = (call: ExecutableCall) => { readonly value: unknown } | undefined

/** The same tools, by name and version; a call for which there is a scripted result is not executed. */
export function scriptedCatalog(catalog: Catalog, scripted: ScriptedResult): Catalog {
  return createCatalog(catalog.tools.map((tool) => withResults(tool, scripted)))
}

function withResults(tool: Tool, scripted: ScriptedResult): Tool {
  const { executor } = tool
  const standIn: Executor = {
    execute: async (call, context) => {
      const given = scripted(call)
      return given === undefined ? await executor.execute(call, context) : executionOf(given.value)
    },
    ...(executor.reconcile === undefined
      ? {}
      : {
          reconcile: (call: ExecutableCall, context: ExecutionContext) =>
            (executor as Required<Executor>).reconcile(call, context),
        }),
  }
  return Object.freeze({ ...tool, executor: standIn })
}

function executionOf(value: unknown): Execution {
  if (!(value instanceof Error)) return { status: 'completed', value }
  return { status: 'failed', code: 'tool_error', message: value.message, cause: value }
}
