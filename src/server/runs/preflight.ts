import type { Driver } from '../../core/driver.ts'
import { isToolpostError } from '../../core/error.ts'
import { bytesOf } from '../../core/json/bytes-of.ts'
import { named } from '../../core/json/named.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { toolSchema } from '../../core/schema/schema.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { toDriver } from '../../models/model.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import { HostError } from '../../protocol/host-error.ts'
import { faultSentence, parseBody } from '../../protocol/parse-body.ts'
import type { ApplicationToolDefinition } from '../../protocol/run/application-tool.ts'
import { type RunRequest, runRequestBody } from '../../protocol/run/run-request.ts'
import { refuseMissing } from '../access/forbidden.ts'
import type { HostOptions, ProviderOptions } from '../host-options.ts'
import {
  grantWantsReview,
  mayCallTool,
  mayServeTool,
  mayUseProvider,
  mayUseSessions,
  type Who,
} from '../who.ts'

/** A request that nothing stands against: what its run is made of. */
export interface RunPlan {
  readonly request: RunRequest
  readonly driver: Driver
  /** The selected tools of the host. */
  readonly tools: readonly Tool[]
  /** The declared functions of which each call needs a review. */
  readonly reviewed: readonly string[]
}

/** How the answer is to be given. */
export type RunForm = 'stream' | 'json'

/**
 * Refuses what can be refused before anything happens. Who may not use a provider or a tool learns nothing of it: grants
 * are looked at before anything else than the shape (application-tools-details 2.2 has the order of the rest).
 */
export function preflight(options: HostOptions, given: unknown, who: Who, form: RunForm): RunPlan {
  const request = readRequest(given)
  if (form === 'json') refuseForms(request)
  authorise(options, request, who)
  const provider = own(options.providers, request.provider)
  if (provider === undefined)
    throw new HostError('UNKNOWN_PROVIDER', `There is no provider "${request.provider}".`)
  const driver = driverOf(provider, request)
  checkCapabilities(provider, request)
  const tools = checkTools(options, request)
  checkApprovals(options, request)
  return { request, driver, tools, reviewed: reviewedBy(options, request, who) }
}

/** The plan of a run that began before: nothing of it is judged again. */
export function planAgain(options: HostOptions, request: RunRequest, reviewed: readonly string[]): RunPlan {
  const provider = own(options.providers, request.provider)
  if (provider === undefined)
    throw new HostError('UNKNOWN_PROVIDER', `The host has no provider "${request.provider}" any more.`)
  const declared = new Set((request.applicationTools ?? []).map(({ name }) => name))
  const tools = (options.tools ?? []).filter(
    ({ name }) => request.tools?.includes(name) && !declared.has(name),
  )
  return { request, driver: driverOf(provider, request), tools, reviewed }
}

function readRequest(given: unknown): RunRequest {
  const parsed = parseBody(runRequestBody, given)
  if (!parsed.ok) throw new HostError('INVALID_REQUEST', faultSentence(parsed.faults))
  return parsed.value
}

function refuseForms({ applicationTools, approvals }: RunRequest): void {
  if (applicationTools !== undefined) throw new HostError('TOOL_STREAM_REQUIRED')
  if (approvals !== undefined) throw new HostError('APPROVAL_STREAM_REQUIRED')
}

/** Errors: FORBIDDEN with everything that the request names and the caller may not. */
function authorise({ sessions }: HostOptions, request: RunRequest, who: Who): void {
  const { provider, tools = [], applicationTools = [], session } = request
  const declared = new Set(applicationTools.map(({ name }) => name))
  const isOutside = session !== undefined && sessions !== false && !mayUseSessions(who, 'continue')
  refuseMissing({
    providers: mayUseProvider(who, provider) ? [] : [named(provider)],
    tools: tools.filter((name) => !declared.has(name) && !mayCallTool(who, name)).map(named),
    applicationTools: [...declared].filter((name) => !mayServeTool(who, name)).map(named),
    sessions: isOutside ? [named('continue')] : [],
  })
}

function driverOf({ models }: ProviderOptions, { provider, model }: RunRequest): Driver {
  const found = typeof models === 'function' ? models(model) : own(models, model)
  if (found === undefined)
    throw new HostError('UNSUPPORTED_MODEL', `The provider "${provider}" has no model "${model}".`)
  return toDriver(found)
}

/** What a provider can do that says nothing of itself. */
export const defaultCapabilities = { tools: true, textStreaming: true } as const

function checkCapabilities(
  { capabilities = defaultCapabilities }: ProviderOptions,
  request: RunRequest,
): void {
  const has = (name: string) => own(capabilities, name) === true
  for (const name of request.requiredCapabilities ?? []) {
    if (!has(name)) throw new HostError('UNSUPPORTED_CAPABILITY', `The provider has no capability "${name}".`)
  }
  if ((request.tools ?? []).length > 0 && !has('tools')) throw new HostError('UNSUPPORTED_TOOLS')
}

function checkTools(options: HostOptions, request: RunRequest): readonly Tool[] {
  const { tools: selected = [], applicationTools = [] } = request
  refuseRepeated(selected)
  if (request.applicationTools !== undefined && options.applicationTools?.enabled !== true)
    throw new HostError('APPLICATION_TOOLS_UNAVAILABLE')
  const ours = new Map((options.tools ?? []).map((tool) => [tool.name, tool]))
  const declared = new Set<string>()
  for (const definition of applicationTools) {
    checkDefinition(definition, {
      isTaken: ours.has(definition.name) || declared.has(definition.name),
      selected,
    })
    declared.add(definition.name)
  }
  const unknown = selected.find((name) => !ours.has(name) && !declared.has(name))
  if (unknown !== undefined)
    throw new HostError('UNKNOWN_TOOL', `"${unknown}" is neither registered at the host nor declared.`)
  if (request.outputSchema !== undefined) checkSchema('outputSchema', request.outputSchema, 'answer')
  return selected.flatMap((name) => (declared.has(name) ? [] : (ours.get(name) ?? [])))
}

function refuseRepeated(selected: readonly string[]): void {
  const repeated = selected.find((name, index) => selected.indexOf(name) !== index)
  if (repeated !== undefined)
    throw new HostError('INVALID_REQUEST', `/tools names "${repeated}" more than once.`)
}

function checkDefinition(
  definition: ApplicationToolDefinition,
  { isTaken, selected }: { readonly isTaken: boolean; readonly selected: readonly string[] },
): void {
  const { name, inputSchema, outputSchema } = definition
  if (isTaken) throw new HostError('TOOL_DEFINITION_CONFLICT', `There is another tool "${name}".`)
  if (!selected.includes(name))
    throw new HostError(
      'INVALID_REQUEST',
      `/applicationTools declares "${name}", which /tools does not select.`,
    )
  if (bytesOf(definition as unknown as JsonValue) > wireBounds.definitionBytesMax)
    throw new HostError(
      'TOOL_DEFINITION_LIMIT',
      `The definition of "${name}" has more than ${wireBounds.definitionBytesMax} bytes.`,
    )
  checkSchema(`The inputSchema of "${name}"`, inputSchema, 'input')
  if (outputSchema !== undefined) checkSchema(`The outputSchema of "${name}"`, outputSchema, 'output')
}

function checkSchema(what: string, schema: JsonSchema, direction: 'input' | 'output' | 'answer'): void {
  try {
    toolSchema(schema, { direction, coercion: 'off' })
  } catch (error) {
    if (!isToolpostError(error)) throw error
    throw new HostError('INVALID_SCHEMA', `${what}: ${error.message}`)
  }
}

function checkApprovals({ approvals }: HostOptions, { approvals: asked }: RunRequest): void {
  if (asked === undefined) return
  if (approvals?.interactive !== true) throw new HostError('APPROVAL_UNAVAILABLE')
  if (asked.idlePolicy === 'pause' && approvals.allowIdlePause === false)
    throw new HostError('APPROVAL_POLICY', 'The host does not let a review stop the idle clock.')
}

/** A review is needed if the host, the definition or the grant wants it; none of them can take it away. */
function reviewedBy(
  options: HostOptions,
  { applicationTools = [] }: RunRequest,
  who: Who,
): readonly string[] {
  const hostWants = options.applicationTools?.requireApproval !== false
  return applicationTools
    .filter(
      ({ name, requiresApproval }) => hostWants || requiresApproval === true || grantWantsReview(who, name),
    )
    .map(({ name }) => name)
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
