import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DriverRequest } from '../../src/core/driver.ts'
import type { JsonObject, JsonValue } from '../../src/core/json/value.ts'
import type { ToolClass } from '../../src/core/policy/class.ts'
import { tool } from '../../src/executors/function/tool.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { scriptedModel } from '../../src/models/scripted.ts'
import type { TokenOptions } from '../../src/server/access/token-options.ts'
import type { HostOptions } from '../../src/server/host-options.ts'

interface Turn {
  readonly text?: string
  readonly calls?: readonly {
    readonly id: string
    readonly name: string
    readonly arguments: JsonObject
    readonly times?: number
  }[]
  readonly waits?: true
}

interface HostTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly toolClass: ToolClass
  readonly output: JsonValue
}

type NamedHost = Omit<HostOptions, 'providers' | 'tools' | 'approve'> & {
  readonly approve?: boolean
  readonly cors?: readonly string[]
}

interface Configuration {
  readonly provider: {
    readonly name: string
    readonly capabilities: Readonly<Record<string, boolean>>
    readonly models: Readonly<Record<string, readonly Turn[]>>
  }
  readonly tools: readonly HostTool[]
  readonly tokens: Readonly<Record<string, TokenOptions>>
  readonly hosts: Readonly<Record<string, NamedHost>>
}

const file = join(import.meta.dirname, '../../conformance/host-configuration.json')
const configuration = writtenOut(JSON.parse(readFileSync(file, 'utf8'))) as Configuration

/** The names of the hosts that the vectors are played against. */
export const hostNames: readonly string[] = Object.keys(configuration.hosts)

/** What a host of the vectors is made of, and how it is served. */
export function configuredHost(name: string): {
  readonly options: HostOptions
  readonly tokens: readonly TokenOptions[]
  readonly cors: readonly string[]
} {
  const { approve, cors = [], ...plain } = configuration.hosts[name]!
  const { name: provider, capabilities, models } = configuration.provider
  const played = Object.entries(models).map(([model, turns]) => [model, playedModel(turns)] as const)
  const options: HostOptions = {
    ...plain,
    providers: { [provider]: { models: Object.fromEntries(played), capabilities } },
    tools: configuration.tools.map(hostTool),
    ...(approve === undefined ? {} : { approve: () => approve }),
  }
  return { options, tokens: Object.values(configuration.tokens), cors }
}

/** Repeated texts and numbered lists, written out. */
function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut)
  if (typeof value !== 'object' || value === null) return value
  const { repeatText, times, list, ...others } = value as Record<string, unknown>
  if (typeof repeatText === 'string') return repeatText.repeat(times as number)
  if (list !== undefined) return numbered(list, times as number)
  const kept = times === undefined ? others : { ...others, times }
  return Object.fromEntries(Object.entries(kept).map(([key, item]) => [key, writtenOut(item)]))
}

function numbered<Item>(item: Item, times: number): Item[] {
  const text = JSON.stringify(item)
  return Array.from(
    { length: times },
    (_, index) => JSON.parse(text.replaceAll('{n}', String(index + 1))) as Item,
  )
}

function hostTool({ inputSchema, output, ...declared }: HostTool) {
  return tool({ ...declared, schema: inputSchema, execute: () => output })
}

function playedModel(turns: readonly Turn[]) {
  return scriptedModel((request) => {
    const step = stepOf(request)
    const turn = turns[Math.min(step, turns.length) - 1]!
    // The model waits for ever; who cancels it wakes it.
    return turn.waits === true ? new Promise<ScriptStep>(() => undefined) : scriptStep(turn, step)
  })
}

/** Steps count from 1, since the last message of the user. */
function stepOf({ messages }: DriverRequest): number {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return 1 + messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length
}

function scriptStep({ text = '', calls = [] }: Turn, step: number): ScriptStep {
  const all = calls.flatMap(({ times = 1, ...call }) => numbered(call, times))
  const proposed = JSON.parse(JSON.stringify(all).replaceAll('{step}', String(step))) as typeof all
  return { text, calls: proposed.map(({ id, name, arguments: args }) => ({ id, name, args })) }
}
