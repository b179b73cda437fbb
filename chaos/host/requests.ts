import type { RunRequest, ToolExecution, ToolResult } from '../../src/host.ts'

const lookup = {
  name: 'lookup',
  description: 'Looks something up',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { passages: { type: 'array', items: { type: 'string' } } },
    required: ['passages'],
    additionalProperties: false,
  },
} as const

/** A run of one of the models, with the application's function. */
export function asking(model: string, over: Partial<RunRequest> = {}): RunRequest {
  return {
    provider: 'double',
    model,
    input: 'Find something about the sky.',
    tools: ['lookup'],
    applicationTools: [lookup],
    ...over,
  }
}

/** The same, with a person who is asked before each call. */
export function reviewing(model: string, over: Partial<RunRequest> = {}): RunRequest {
  return asking(model, {
    applicationTools: [{ ...lookup, requiresApproval: true }],
    approvals: { mode: 'interactive', idlePolicy: 'pause' },
    ...over,
  })
}

/** What the function gives for an execution, whoever asks how often. */
export function outputOf({ call }: ToolExecution) {
  return { passages: [`What there is about ${String(call.arguments.query)}`] }
}

export function resultOf(execution: ToolExecution): ToolResult {
  const { executionId, runId, call } = execution
  return { executionId, runId, callId: call.id, output: outputOf(execution), resultKey: `key-${executionId}` }
}

export function failureOf({ executionId, runId, call }: ToolExecution): ToolResult {
  return {
    executionId,
    runId,
    callId: call.id,
    error: 'APPLICATION_TOOL_FAILED',
    resultKey: `key-${executionId}`,
  }
}
