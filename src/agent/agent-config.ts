import { createCatalog } from '../core/catalog.ts'
import { isRunnable, type Runnable } from '../core/child.ts'
import { ToolpostError } from '../core/error.ts'
import type { Grant } from '../core/grant.ts'
import { asJson } from '../core/json/as-json.ts'
import { named } from '../core/json/named.ts'
import { limits } from '../core/limits.ts'
import type { Contract, KillEntry, PolicyRule, ProfileFacts } from '../core/policy/facts.ts'
import { narrowerMode, type ToolMode } from '../core/policy/mode.ts'
import { judgePredicate } from '../core/policy/predicate.ts'
import { compile } from '../core/schema/validator.ts'
import type { Store } from '../core/store.ts'
import { type Model, toDriver } from '../models/model.ts'
import type { ResultLimits } from '../runtime/budget.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { ScopeFunctions } from '../runtime/state/own-scopes.ts'
import { systemParts } from '../runtime/system.ts'
import type { PolicyLayers } from '../runtime/task.ts'
import { memoryStore } from '../stores/memory/memory-store.ts'
import type { ApprovalHandler } from './approver.ts'
import type { HistoryBounds } from './context.ts'
import { type AgentToolDeclaration, readTools } from './declared-tools.ts'
import type { Definition } from './definition.ts'
import { type FunctionOptions, functionOptions, readFunctionOptions } from './function-options.ts'
import type { InputFunction } from './input-request.ts'
import { optionSchema } from './option-schema.ts'
import { type OutputOptions, readOutputOptions } from './output-option.ts'
import { readResultName, readResultTool } from './read-result.ts'
import type { RunTimes } from './run-times.ts'
import { readStateOptions, type StateOptions } from './state-options.ts'

/** What `agent()` takes. */
export interface AgentConfig extends FunctionOptions, RunTimes, OutputOptions {
  readonly name: string
  /** Any AI SDK provider's model, or a driver. */
  readonly model: Model
  readonly instructions?: string
  /** Tools that are run here, and tools that the model's provider runs: `{ type: 'web_search' }`, `providerTool({ ... })`. */
  readonly tools?: readonly AgentToolDeclaration[]
  /**
   * The agents and flows that its tools start with `context.run` and its siblings. Any may be started; those that are named
   * here are known in every process from the start, so that what their tools ask can be answered from there. Those of
   * `agentTool` are known anyway.
   */
  readonly agents?: readonly Runnable[]
  /** Default: memory, which forgets with the process. */
  readonly store?: Store
  /** Who is asked; without it, every call that asks is declined. */
  readonly approvals?: ApprovalHandler
  /** Milliseconds after which an ask for approval counts as declined; default: it stays open until somebody decides. */
  readonly askExpiryMs?: number
  /**
   * Milliseconds for which `approvals` and `inputs` are waited for, each ask by itself; then their signal aborts, and the
   * ask is left to somebody else, as by `suspend()`. Default: as long as they take.
   */
  readonly answerWaitMs?: number
  /** Who gives what tools stop to ask for; without it, the run rests until somebody answers. */
  readonly inputs?: InputFunction
  /** Where new sessions start; it can make the default `ask` stricter, never wider. */
  readonly defaultToolMode?: ToolMode
  /** An administrator's list of tools and their least classes. */
  readonly contract?: Contract
  /** The widest mode and the tools of the profile that the agent works under. */
  readonly profile?: ProfileFacts
  /** Rules that ask or deny. */
  readonly rules?: readonly PolicyRule[]
  /** Tools that are stopped at once. */
  readonly killed?: readonly KillEntry[]
  /** What the caller of this agent may use at most. */
  readonly grant?: Grant
  readonly history?: HistoryBounds
  /** How much of results the model is given: tokens of one call (default 8,000) and of one run (default 200,000). */
  readonly results?: { readonly callTokensMax?: number; readonly runTokensMax?: number }
  /** Model answers in one run; default 25. */
  readonly stepsMax?: number
  /**
   * What a call whose outcome nobody saw does to its run: the model is told and the run goes on (`tell`, the
   * default), the run rests until the call is reconciled (`pause`), or it ends as `uncertain` (`fail`).
   */
  readonly onUncertain?: 'tell' | 'pause' | 'fail'
  /** Calls in one run; default 1,280. */
  readonly callsMax?: number
  /** How often a model that is temporarily out of reach is asked for one step; default 3. */
  readonly modelAttempts?: number
  /** What new sessions start with in their state, and which keys are never streamed. */
  readonly state?: StateOptions
  /**
   * Scopes of the state that sessions share: `{ user: (session) => session.subject }`. All sessions in the store for
   * which the function gives the same id have the same values.
   */
  readonly scopes?: ScopeFunctions
  /** The clock, the ids, the dice and the owner's name, where they are not the real ones. */
  readonly parts?: Partial<Omit<RuntimeParts, 'store'>>
}

const keys: readonly (keyof AgentConfig)[] = [
  'name',
  'model',
  'instructions',
  'tools',
  'agents',
  'store',
  'approvals',
  'askExpiryMs',
  'answerWaitMs',
  'inputs',
  'defaultToolMode',
  'contract',
  'profile',
  'rules',
  'killed',
  'grant',
  'history',
  'results',
  'stepsMax',
  'onUncertain',
  'callsMax',
  'modelAttempts',
  'output',
  'outputAttempts',
  'timeoutMs',
  'idle',
  'state',
  'scopes',
  'parts',
  ...functionOptions,
]

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_AGENT', sentence)
}

/** Checks a configuration and resolves it. Errors: INVALID_AGENT, INVALID_SCHEMA, DUPLICATE_TOOL. */
export function defineAgent(config: AgentConfig): Definition {
  checkConfig(config)
  const driver = toDriver(config.model)
  const { tools, providerTools } = readTools(config.tools ?? [], driver.name)
  createCatalog(tools, { reserved: [readResultName] })
  const store = config.store ?? memoryStore()
  const profileMode = config.profile?.modeMax
  const asked = narrowerMode('ask', config.defaultToolMode ?? 'ask')
  return Object.freeze({
    name: config.name,
    driver,
    ...(config.instructions === undefined ? {} : { instructions: config.instructions }),
    catalog: createCatalog([...tools, readResultTool()]),
    providerTools,
    ...(config.agents === undefined ? {} : { agents: Object.freeze([...config.agents]) }),
    parts: { ...systemParts(store), ...config.parts, store },
    ...(config.approvals === undefined ? {} : { approvals: config.approvals }),
    ...(config.inputs === undefined ? {} : { inputs: config.inputs }),
    ...(config.askExpiryMs === undefined ? {} : { askExpiryMs: config.askExpiryMs }),
    ...(config.answerWaitMs === undefined ? {} : { answerWaitMs: config.answerWaitMs }),
    ...readFunctionOptions(config),
    layers: layersOf(config),
    defaultMode: profileMode === undefined ? asked : narrowerMode(asked, profileMode),
    history: config.history ?? {},
    results: resultLimits(config.results ?? {}),
    stepsMax: config.stepsMax ?? limits.stepsMax,
    onUncertain: config.onUncertain ?? 'tell',
    callsMax: config.callsMax ?? limits.callsMax,
    modelAttempts: config.modelAttempts ?? 3,
    times: timesOf(config),
    ...readOutputOptions(config),
    state: readStateOptions(config.state, config.scopes),
  })
}

function checkConfig(config: AgentConfig): void {
  if (typeof config !== 'object' || config === null) refuse('agent() takes one object.')
  const unknown = Object.keys(config).find((key) => !(keys as readonly string[]).includes(key))
  if (unknown !== undefined)
    refuse(`agent() has no option ${named(unknown)}; the options are ${keys.join(', ')}.`)
  if (typeof config.name !== 'string' || config.name.trim() === '') refuse('An agent needs a name.')
  checkData(config)
  checkAgents(config.agents)
  checkApprovals(config.approvals)
  checkInputs(config.inputs)
  checkStore(config.store)
  checkParts(config.parts)
}

/** The options that are plain data, each fault with its path. */
function checkData(config: AgentConfig): void {
  const {
    model: _model,
    tools: _tools,
    agents: _agents,
    store: _store,
    approvals: _approvals,
    inputs: _inputs,
    parts: _parts,
    scopes: _scopes,
    output: _output,
    hooks: _hooks,
    onChange: _onChange,
    onModelError: _onModelError,
    onToolFailure: _onToolFailure,
    ...data
  } = config
  const json = asJson(data)
  if (json === undefined)
    refuse(
      'The options of an agent must be plain data, but for its model, tools, agents, store, approvals, inputs, scopes, parts, output, hooks and on... functions.',
    )
  const faults = compile(optionSchema)(json)
  if (faults.length > 0)
    refuse(`The options do not pass: ${faults.map((fault) => fault.message).join('; ')}.`)
  checkConditions(config.rules)
}

/** A condition that is none would make its rule fit every call. */
function checkConditions(rules: AgentConfig['rules'] = []): void {
  const wrong = rules.find(
    ({ when }) => when !== undefined && judgePredicate(when, undefined) === 'malformed',
  )
  if (wrong !== undefined)
    refuse(
      `The condition "when" of the rule ${named(wrong.id)} is { path, eq }, { path, in }, { path, absent }, { all } or { any }, and has no other key.`,
    )
}

function checkStore(store: AgentConfig['store']): void {
  if (store !== undefined && typeof store?.append !== 'function') {
    refuse('"store" must be a store, such as sqlite("file.db") or memoryStore().')
  }
}

const partNames: readonly string[] = ['clock', 'ids', 'random', 'owner']

function checkParts(parts: AgentConfig['parts']): void {
  const unknown = Object.keys(parts ?? {}).find((key) => !partNames.includes(key))
  if (unknown !== undefined) refuse(`"parts" has no ${named(unknown)}; it takes ${partNames.join(', ')}.`)
}

function timesOf({ timeoutMs, idle }: RunTimes): RunTimes {
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(idle === undefined ? {} : { idle }) }
}

const bytesOfToken = 4

function resultLimits({ callTokensMax, runTokensMax }: NonNullable<AgentConfig['results']>): ResultLimits {
  return {
    callBytesMax: (callTokensMax ?? limits.resultTokensMax) * bytesOfToken,
    runBytesMax: (runTokensMax ?? limits.runResultTokensMax) * bytesOfToken,
  }
}

function checkAgents(agents: unknown): void {
  if (agents === undefined) return
  if (!Array.isArray(agents) || !agents.every(isRunnable))
    refuse('"agents" must be a list of agents and flows.')
  const names = (agents as readonly Runnable[]).map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) refuse(`Two of "agents" are called ${named(twice)}; rename one of them.`)
}

function checkInputs(inputs: AgentConfig['inputs']): void {
  if (inputs !== undefined && typeof inputs !== 'function') refuse('"inputs" must be a function.')
}

function checkApprovals(approvals: AgentConfig['approvals']): void {
  if (approvals === undefined || typeof approvals === 'function') return
  if (typeof approvals?.request !== 'function')
    refuse('"approvals" must be a function, or an object with a request method.')
}

function layersOf(config: AgentConfig): PolicyLayers {
  const { contract, profile, rules, killed, grant, defaultToolMode, approvals } = config
  const governed = [contract, profile, defaultToolMode, approvals].some((layer) => layer !== undefined)
  return {
    governed,
    ...(contract === undefined ? {} : { contract }),
    ...(profile === undefined ? {} : { profile }),
    ...(rules === undefined ? {} : { rules }),
    ...(killed === undefined ? {} : { killed }),
    ...(grant === undefined ? {} : { grant }),
  }
}
