import { HostError } from '../protocol/host-error.ts'
import type { ApplicationToolDefinition } from '../protocol/run/application-tool.ts'
import type { RunRequest } from '../protocol/run/run-request.ts'
import { checkTools, type ServedTool, type ServedTools } from './served-tool.ts'

/**
 * A request with the definitions of the tools that bring their own, each of them selected. Throws INVALID_REQUEST when a
 * declared function is not there, a function has no definition, or has two.
 */
export function servedRequest(request: RunRequest, tools: ServedTools): RunRequest {
  checkTools(tools)
  const written = request.applicationTools ?? []
  const derived = Object.entries(tools).flatMap(([name, tool]) =>
    typeof tool === 'function' ? [] : [definitionOf(name, tool)],
  )
  const definitions = [...written, ...derived]
  const names = definitions.map(({ name }) => name)
  refuse(
    names.filter((name) => !Object.hasOwn(tools, name)),
    'is declared, and there is no function of it',
  )
  refuse(
    Object.keys(tools).filter((name) => !names.includes(name)),
    'has no definition; declare it in the request or by defineTool()',
  )
  refuse(
    written.map(({ name }) => name).filter((name) => typeof tools[name] !== 'function'),
    'is declared by the request and by defineTool()',
  )
  if (definitions.length === 0) return request
  return {
    ...request,
    tools: [...new Set([...(request.tools ?? []), ...names])],
    applicationTools: definitions,
  }
}

function definitionOf(name: string, tool: ServedTool): ApplicationToolDefinition {
  const { description, inputSchema, outputSchema, requiresApproval } = tool
  return {
    name,
    description,
    inputSchema: inputSchema.jsonSchema,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema.jsonSchema }),
    ...(requiresApproval === undefined ? {} : { requiresApproval }),
  }
}

function refuse(names: readonly string[], fault: string): void {
  if (names.length === 0) return
  throw new HostError('INVALID_REQUEST', `The tool ${names.join(', ')} ${fault}; nothing was sent.`)
}
