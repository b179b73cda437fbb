import type { Catalog } from '../core/catalog.ts'
import type { ExecutableCall, Execution, Executor } from '../core/executor.ts'
import { messageOf } from '../core/message-of.ts'

/** What a script gives in place of tools, asked again for every call. */
export interface ScriptedResults {
  /** Whether it has results of this tool's calls now. */
  has(tool: string): boolean
  /** A promise is waited for; a throw fails the call, as an `Error` does. */
  of(call: ExecutableCall): unknown
}

/** The same catalog; a tool for which there are scripted results is found with an executor that gives them. */
export function scriptedCatalog(catalog: Catalog, results: ScriptedResults): Catalog {
  const executor: Executor = { execute: (call) => executionOf(results, call) }
  return Object.freeze({
    ...catalog,
    find: (name: string) => {
      const tool = catalog.find(name)
      return tool !== undefined && results.has(name) ? Object.freeze({ ...tool, executor }) : tool
    },
  })
}

async function executionOf(results: ScriptedResults, call: ExecutableCall): Promise<Execution> {
  try {
    const value = await results.of(call)
    return value instanceof Error ? failed(value) : { status: 'completed', value }
  } catch (thrown) {
    return failed(thrown)
  }
}

function failed(cause: unknown): Execution {
  return { status: 'failed', code: 'tool_error', message: messageOf(cause), cause }
}
