import { Agent } from '../../agent/agent.ts'
import { defineAgent } from '../../agent/agent-config.ts'
import type { Driver } from '../../core/driver.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { hostAgentName } from '../runs/run-agent.ts'
import { type SessionProvider, sessionProviderKey } from './session-provider.ts'

/** Who begins and removes sessions: it drives no run, and so it asks no model. */
export function sessionAgent(
  { store, clock, ids, random, owner }: RuntimeParts,
  made?: SessionProvider,
): Agent {
  const definition = defineAgent({
    name: hostAgentName,
    model: noModel,
    store,
    ...(made === undefined ? {} : { state: { initial: { [sessionProviderKey]: made } } }),
    parts: { clock, ids, random, owner },
  })
  return new Agent(definition)
}

const noModel: Driver = {
  name: hostAgentName,
  propose: () => {
    throw new Error('A session is asked nothing by the agent that keeps it.')
  },
}
