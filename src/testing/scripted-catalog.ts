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

/**
 * The same catalog; a tool for which there are scripted results is found with an executor that gives them, and one that
 * an application would carry with one that fails.
 */
export function scriptedCatalog(catalog: Catalog, results: ScriptedResults): Catalog {
  const executor: Executor = { execute: (call) => executionOf(results, call) }
  const nobody: Executor = { execute: async ({ name }) => nothingScripted(name) }
  return Object.freeze({
    ...catalog,
    find: (name: string) => {
      const tool = catalog.find(name)
      if (tool !== undefined && results.has(name)) return Object.freeze({ ...tool, executor })
      return tool?.executor.handsOut === true ? Object.freeze({ ...tool, executor: nobody }) : tool
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

/** In a test, no application is there that would carry the call. */
function nothingScripted(name: string): Execution {
  const message = `The script has no result of "${name}", which an application outside carries; give it one by result({ ... }).`
  return { status: 'failed', code: 'not_scripted', message }
}

function failed(cause: unknown): Execution {
  return { status: 'failed', code: 'tool_error', message: messageOf(cause), cause }
}
