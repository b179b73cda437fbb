import type { Client, RunEvent, RunRequest, WireApproval } from '../../dist/client.js'

/** A run that waits for a person, and its stream, which is read to its end. */
export interface WaitingRun {
  readonly approval: Promise<WireApproval>
  /** When the stream told the decision, as `performance.now()` has it. */
  readonly resolvedAt: Promise<number>
  /** The id of the one execution, once the run has completed with it. Rejects when the run does anything else. */
  readonly execution: Promise<string>
}

/** Starts one: a person decides its one call, and its execution is answered at once. */
export function waitingRun(client: Client, request: RunRequest): WaitingRun {
  const approval = Promise.withResolvers<WireApproval>()
  const resolvedAt = Promise.withResolvers<number>()
  const execution = readToEnd(client, request, (event) => {
    if (event.type === 'approval.requested') approval.resolve(event.approval)
    if (event.type === 'approval.resolved') resolvedAt.resolve(performance.now())
  })
  execution.catch((error: unknown) => {
    approval.reject(error)
    resolvedAt.reject(error)
  })
  return { approval: approval.promise, resolvedAt: resolvedAt.promise, execution }
}

async function readToEnd(
  client: Client,
  request: RunRequest,
  tell: (event: RunEvent) => void,
): Promise<string> {
  const executions: string[] = []
  const told: string[] = []
  for await (const event of client.stream(request)) {
    tell(event)
    told.push(event.type)
    if (event.type !== 'tool.execution.requested') continue
    const { executionId, runId, call } = event.execution
    executions.push(executionId)
    await client.completeTool({ executionId, runId, callId: call.id, output: 'done' })
  }
  const counts = decisive.map((type) => told.filter((other) => other === type).length)
  const [execution] = executions
  if (execution === undefined || counts.some((count) => count !== 1))
    throw new Error(`A run that waited for a person told ${told.join(', ')}.`)
  return execution
}

/** What a run of one reviewed call tells once each. */
const decisive: readonly RunEvent['type'][] = [
  'approval.requested',
  'approval.resolved',
  'tool.execution.requested',
  'tool.completed',
  'run.completed',
]
