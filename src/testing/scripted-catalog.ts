import type { Catalog } from '../core/catalog.ts'
import type { ExecutableCall, Execution, Executor } from '../core/executor.ts'

/** What a script gives in place of tools, asked again for every call. */
export interface ScriptedResults {
  /** Whether it has results of this tool's calls now. */
  has(tool: string): boolean
  of(call: ExecutableCall): unknown
}

/** The same catalog; a tool for which there are scripted results is found with an executor that gives them. */
export function scriptedCatalog(catalog: Catalog, results: ScriptedResults): Catalog {
  const executor: Executor = { execute: async (call) => executionOf(results.of(call)) }
  return Object.freeze({
    ...catalog,
    find: (name: string) => {
      const tool = catalog.find(name)
      return tool !== undefined && results.has(name) ? Object.freeze({ ...tool, executor }) : tool
    },
  })
}

function executionOf(value: unknown): Execution {
  if (!(value instanceof Error)) return { status: 'completed', value }
  return { status: 'failed', code: 'tool_error', message: value.message, cause: value }
}
