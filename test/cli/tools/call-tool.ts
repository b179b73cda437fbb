import type { ApprovalFunction } from '../../../src/agent/approver.ts'
import type { HandedBackResult } from '../../../src/agent/foreign-step.ts'
import { mainAgent } from '../../../src/cli/main-agent.ts'
import { silentModel } from '../../../src/cli/silent-model.ts'
import { memoryStore } from '../../../src/stores/memory/memory-store.ts'

/** Makes one call of a tool of the main agent on a folder; every ask is allowed unless told otherwise. */
export async function callTool(
  dir: string,
  name: string,
  args: object,
  approvals: ApprovalFunction = () => ({ approved: true }),
): Promise<HandedBackResult> {
  const agent = mainAgent({ dir, store: memoryStore(), model: silentModel(), approvals })
  const session = await agent.startSession('ask')
  const { results } = await session.step({ calls: [{ name, arguments: args }] })
  return results[0] as HandedBackResult
}

/** The result of a call as the object that its JSON text says. */
export async function resultOf(dir: string, name: string, args: object) {
  const { status, text } = await callTool(dir, name, args)
  if (status !== 'completed') throw new Error(text)
  return JSON.parse(text)
}
