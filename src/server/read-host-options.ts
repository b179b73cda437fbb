import { defineAgent } from '../agent/agent-config.ts'
import { asJson } from '../core/json/as-json.ts'
import { named } from '../core/json/named.ts'
import { messageOf } from '../core/message-of.ts'
import type { JsonSchema } from '../core/schema/json-schema.ts'
import { isTool } from '../core/tool/is-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import { toDriver } from '../models/model.ts'
import { checkGiven } from '../protocol/check-given.ts'
import { HostError } from '../protocol/host-error.ts'
import { toolNameSchema } from '../protocol/schema-words.ts'
import { faultsIn } from './config/faults-in.ts'
import { hostDataProperties } from './config/host-data.ts'
import type { HostOptions, ProviderOptions } from './host-options.ts'
import { hostAgentName, layersOf } from './runs/run-agent.ts'

/** The options of a host that are plain data; those of its policy are checked with each run's agent. */
const dataSchema: JsonSchema = {
  type: 'object',
  properties: hostDataProperties,
  additionalProperties: false,
}

const others = [
  'providers',
  'tools',
  'approve',
  'onAudit',
  'store',
  'defaultToolMode',
  'contract',
  'profile',
  'rules',
  'killed',
  'parts',
]

/** Checks what a host is made of. Errors: INVALID_CONFIG, which names the option. */
export function readHostOptions(options: HostOptions): HostOptions {
  if (typeof options !== 'object' || options === null) refuse('A host takes one object of options')
  checkGiven(options, [...others, ...Object.keys(hostDataProperties)], 'createHost()', 'INVALID_CONFIG')
  const data = Object.fromEntries(Object.entries(options).filter(([key]) => !others.includes(key)))
  if (asJson(data) === undefined) refuse(`Only ${others.join(', ')} may be anything else than plain data`)
  const faults = faultsIn(dataSchema, data)
  if (faults.length > 0) refuse(faults.map(({ message }) => message).join('; '))
  checkProviders(options.providers)
  const { tools = [], approve } = options
  if (!Array.isArray(tools) || !tools.every(isTool))
    refuse('"tools" must be a list of tools, as tool() makes them')
  checkNames(tools)
  for (const [name, value] of Object.entries({ approve, onAudit: options.onAudit })) {
    if (value !== undefined && typeof value !== 'function') refuse(`"${name}" must be a function`)
  }
  checkPolicy(options)
  return options
}

/** A tool that no request can select would be there for nobody. */
function checkNames(tools: readonly Tool[]): void {
  const onWire = new RegExp(toolNameSchema.pattern)
  const wrong = tools.map(({ name }) => name).filter((name) => !onWire.test(name))
  if (wrong.length === 0) return
  const rule = 'a request selects names of 1 to 64 letters, digits and _ that do not begin with a digit'
  refuse(`"tools": ${wrong.map(named).join(', ')} cannot be selected; ${rule}`)
}

/** What governs every run's agent is checked as an agent would check it. */
function checkPolicy(options: HostOptions): void {
  const silent = { name: 'none', propose: () => [] as never }
  try {
    const { tools = [], store, parts } = options
    const given = { ...(store === undefined ? {} : { store }), ...(parts === undefined ? {} : { parts }) }
    defineAgent({ name: hostAgentName, model: silent, tools, ...given, ...layersOf(options) })
  } catch (error) {
    refuse(messageOf(error))
  }
}

const providerName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

function checkProviders(providers: unknown): void {
  if (typeof providers !== 'object' || providers === null)
    refuse('"providers" must name at least one provider')
  if (Object.keys(providers).length === 0) refuse('"providers" must name at least one provider')
  for (const [name, provider] of Object.entries(providers)) {
    if (!providerName.test(name)) refuse(`"${name}" is no name for a provider`)
    checkProvider(name, provider as ProviderOptions)
  }
}

function checkProvider(name: string, provider: ProviderOptions): void {
  const { models } = provider ?? {}
  if (typeof models === 'function') return
  if (typeof models !== 'object' || models === null)
    refuse(`"providers.${name}.models" must be models by their names, or a function`)
  for (const [model, value] of Object.entries(models)) {
    try {
      toDriver(value)
    } catch (error) {
      refuse(`"providers.${name}.models.${model}": ${(error as Error).message}`)
    }
  }
}

function refuse(sentence: string): never {
  throw new HostError('INVALID_CONFIG', `${sentence.replace(/\.$/, '')}.`)
}
