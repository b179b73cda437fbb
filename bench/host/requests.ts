import type { RunRequest } from '../../dist/client.js'
import { description, question, toolName } from '../loop/task.ts'

/** By what the hosts that are measured know their caller. */
export const subject = 'bench'
export const token = subject.padEnd(32, '-')

export const provider = 'scripted'

/** The model that makes so many calls, one a step. */
export function modelOf(calls: number): string {
  return `calls-${calls}`
}

/** A run of so many calls of one function of the application. */
export function requestOf(calls: number, { requiresApproval = false } = {}): RunRequest {
  const inputSchema = {
    type: 'object',
    properties: { sku: { type: 'string' }, quantity: { type: 'integer' } },
    required: ['sku', 'quantity'],
  }
  return {
    provider,
    model: modelOf(calls),
    input: question,
    maxSteps: calls + 1,
    tools: [toolName],
    applicationTools: [{ name: toolName, description, inputSchema, requiresApproval }],
    ...(requiresApproval ? { approvals: { mode: 'interactive', idlePolicy: 'pause' } } : {}),
  }
}
