import type { CallState } from '../../src/core/run/state.ts'
import {
  type Agent,
  type AgentConfig,
  agent,
  type RunResult,
  type Session,
  type StoredEvent,
  scriptedModel,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'

/** What a played run left behind. */
export interface Played {
  readonly agent: Agent
  readonly session: Session
  readonly result: RunResult
  readonly calls: readonly CallState[]
  readonly events: readonly StoredEvent[]
  /** What the model was told of each call, in order. */
  readonly told: readonly string[]
}

type PlayConfig = Omit<AgentConfig, 'name' | 'model'> & {
  readonly mode?: 'off' | 'read_only' | 'ask' | 'auto'
}

/** One call of a tool as a scripted step. */
export function calling(name: string, args: unknown = {}): ScriptStep {
  return { calls: [{ name, args }] }
}

/** Plays a script through an agent to its end; after the script, the model says "done". */
export async function play(config: PlayConfig, steps: readonly ScriptStep[]): Promise<Played> {
  const { mode, ...rest } = config
  const requests: { messages: readonly { role: string }[] }[] = []
  const model = scriptedModel((request, stepNumber) => {
    requests.push(request)
    return steps[stepNumber - 1] ?? 'done'
  })
  const made = agent({ name: 'player', model, ...rest })
  const session = await made.startSession(mode === undefined ? {} : { mode })
  const result = await session.run('go')
  return {
    agent: made,
    session,
    result,
    calls: [...session.state.calls.values()],
    events: await session.events(),
    told: toldIn(requests.at(-1)),
  }
}

function toldIn(request: { messages: readonly { role: string }[] } | undefined): string[] {
  const told: string[] = []
  for (const message of request?.messages ?? []) {
    if (message.role !== 'tool') continue
    for (const { text } of (message as unknown as { results: { text: string }[] }).results) told.push(text)
  }
  return told
}
