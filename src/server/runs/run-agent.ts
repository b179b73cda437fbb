import { Agent } from '../../agent/agent.ts'
import { defineAgent } from '../../agent/agent-config.ts'
import type { ApprovalFunction } from '../../agent/approver.ts'
import type { DriverTurn } from '../../core/driver.ts'
import { bytesOf } from '../../core/json/bytes-of.ts'
import { defaultToolMode, narrowerMode } from '../../core/policy/mode.ts'
import type { Store } from '../../core/store.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { applicationTool } from '../../executors/remote/application-tool.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import type { HostOptions } from '../host-options.ts'
import { type Admission, hostDriver } from './host-driver.ts'
import type { RunPlan } from './preflight.ts'
import { refusals } from './refusals.ts'

/** The name under which all runs of hosts stand in the store. */
export const hostAgentName = 'toolpost-host'

/** What stands around the calls of one run. */
export interface RunSurroundings {
  readonly store: Store
  readonly parts: RuntimeParts
  readonly approvals: ApprovalFunction
  readonly admission: () => Admission
  /** The wait for the run's turn; absent where nothing is driven. */
  readonly turn?: DriverTurn
  /** Keeps a place for a call's execution; false when there is none. */
  readonly reserve: (call: string) => boolean
}

/** The agent of one run: what the request says, within what the host allows. */
export function runAgent(options: HostOptions, plan: RunPlan, around: RunSurroundings): Agent {
  const { request, driver, tools } = plan
  const { instructions, approvals, outputSchema } = request
  const { store, parts } = around
  const definition = defineAgent({
    name: hostAgentName,
    model: hostDriver(driver, request, around),
    tools: [...tools, ...applicationTools(plan, around)],
    store,
    approvals: around.approvals,
    stepsMax: stepsOf(options, request),
    onToolFailure: request.onToolFailure === 'fail' ? 'strict' : 'tell',
    ...(instructions === undefined ? {} : { instructions }),
    ...(outputSchema === undefined ? {} : { output: outputSchema }),
    ...(approvals?.expiresAfterMs === undefined ? {} : { askExpiryMs: approvals.expiresAfterMs }),
    ...layersOf(options),
    parts: { clock: parts.clock, ids: parts.ids, random: parts.random, owner: parts.owner },
  })
  return new Agent({ ...definition, layers: { ...definition.layers, governed: isGoverned(options) } })
}

/** What governs the agents of all runs. */
export function layersOf({ contract, profile, rules, killed, defaultToolMode: mode }: HostOptions) {
  return {
    ...(contract === undefined ? {} : { contract }),
    ...(profile === undefined ? {} : { profile }),
    ...(rules === undefined ? {} : { rules }),
    ...(killed === undefined ? {} : { killed }),
    ...(mode === undefined ? {} : { defaultToolMode: mode }),
  }
}

/** That people can be asked says nothing of what they are asked about; a mode, a contract or a profile does. */
function isGoverned({ contract, profile, defaultToolMode: mode }: HostOptions): boolean {
  return [contract, profile, mode].some((layer) => layer !== undefined)
}

/** The mode of a host's sessions; none governs them unless the host says so. */
export function modeOf(options: HostOptions) {
  if (!isGoverned(options)) return undefined
  const mode = options.defaultToolMode ?? defaultToolMode
  const max = options.profile?.modeMax
  return max === undefined ? mode : narrowerMode(mode, max)
}

/** How many answers a run may have: what it asks for, as far as the host goes. */
function stepsOf({ limits }: HostOptions, { maxSteps = wireBounds.stepsDefault }: RunRequest): number {
  return Math.min(maxSteps, limits?.stepsMax ?? wireBounds.stepsMax)
}

function applicationTools({ request, reviewed }: RunPlan, around: RunSurroundings): readonly Tool[] {
  return (request.applicationTools ?? []).map((definition): Tool => {
    const { name, description, inputSchema, outputSchema } = definition
    const requiresApproval = reviewed.includes(name)
    const schemas = { inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) }
    const made = applicationTool({ name, description, requiresApproval, ...schemas })
    return Object.freeze<Tool>({
      ...made,
      prepare: (args) => {
        refuseLarge(name, args)
      },
      check: (_args, { callId }) =>
        around.reserve(callId) ? undefined : { verdict: 'deny', reason: refusals.executions.sentence },
    })
  })
}

/** Measured for all calls of an answer before any of them goes on. */
function refuseLarge(name: string, args: unknown): void {
  const bytes = bytesOf({ name, arguments: args as never })
  if (bytes > wireBounds.callBytesMax) throw new Error(`${refusals.large.sentence} This one has ${bytes}.`)
}
