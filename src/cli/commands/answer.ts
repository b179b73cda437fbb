import type { Agent } from '../../agent/agent.ts'
import type { ApprovalDecision } from '../../core/decision.ts'
import { ToolpostError } from '../../core/error.ts'
import type { JsonObject, JsonValue } from '../../core/json/value.ts'
import type { IndexRow, Store } from '../../core/store.ts'
import { processOwner } from '../../process/process-owner.ts'
import { commandLine } from '../command-line.ts'
import { type CommandOptions, type Place, placeOf } from '../command-options.ts'
import { jsonArgument } from '../json-argument.ts'
import { folderOfAgent, mainAgent } from '../main-agent.ts'
import { withExistingStore } from '../open-store.ts'
import { personAtCommandLine } from '../person.ts'
import { silentModel } from '../silent-model.ts'
import { clipped } from '../terminal/clipped.ts'
import { inertLine, visibleJson } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'

export type ApproveOptions = CommandOptions & {
  readonly session?: boolean
  readonly args?: string
  readonly reason?: string
}
export type DenyOptions = CommandOptions & { readonly reason: string }

/** Allows an ask; whoever waits for it, in any process, goes on. */
export async function approve(ticket: string, options: ApproveOptions): Promise<number> {
  const edited = options.args === undefined ? undefined : jsonArgument('--args', options.args)
  return await answer(ticket, options, async (agent, row) => ({
    approved: true,
    ...(options.session === true ? { scope: 'session' } : {}),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(edited === undefined ? {} : { editedArgs: await passing(agent, String(row.data.tool), edited) }),
  }))
}

/** Declines an ask; the model is told the reason. */
export async function deny(ticket: string, options: DenyOptions): Promise<number> {
  return await answer(ticket, options, async () => ({ approved: false, reason: options.reason }))
}

type Decide = (agent: Agent, row: IndexRow) => Promise<ApprovalDecision>

async function answer(ticket: string, options: CommandOptions, decide: Decide): Promise<number> {
  const place = placeOf(options)
  return await withExistingStore(place, async (store) => {
    const agent = mainAgent({
      dir: place.folder.root,
      store,
      model: silentModel(),
      approvals: () => ({ approved: false }),
    })
    const [row] = await store.list({ kind: 'ticket', id: ticket, limit: 1 })
    if (row === undefined) throw new ToolpostError('TICKET_NOT_FOUND', `There is no ask "${ticket}".`)
    const decision = await decide(agent, row)
    const by = personAtCommandLine()
    await agent.decide(ticket, decision, by)
    const told = await outcome(agent, store, row)
    if (options.json === true) writeJson({ ask: ticket, by, ...told })
    else say(place, told, String(row.data.agent))
    return 0
  })
}

/** What a person made of the arguments, checked and prepared by the tool. Errors: INVALID_DECISION. */
async function passing(agent: Agent, tool: string, edited: JsonObject): Promise<JsonValue> {
  const { args, fault, decision } = await agent.explain(tool, edited, { mode: 'ask' })
  if (args === undefined)
    throw new ToolpostError('INVALID_DECISION', `The arguments do not pass: ${fault ?? 'they are wrong'}`)
  if (decision.verdict !== 'deny') return args
  throw new ToolpostError(
    'INVALID_DECISION',
    `With these arguments the call is not allowed: ${decision.reason}`,
  )
}

async function outcome(agent: Agent, store: Store, row: IndexRow) {
  const { state } = await agent.openSession(String(row.data.session))
  const ticket = state.tickets.get(row.id)
  const call = ticket && state.calls.get(ticket.call)
  const { approved = false, scope = 'once' } = ticket?.decided ?? {}
  const lease = await store.readLease(row.stream)
  const isDriven =
    lease !== undefined && lease.expiresAt > Date.now() && !processOwner().hasEnded(lease.owner)
  return {
    approved,
    scope,
    tool: call?.name ?? '',
    args: call?.args ?? null,
    run: ticket?.run ?? '',
    isDriven,
  }
}

function say(place: Place, told: Awaited<ReturnType<typeof outcome>>, agent: string): void {
  const { approved, scope, tool, args, run, isDriven } = told
  const what = approved ? `Allowed${scope === 'session' ? ' for the session' : ''}` : 'Declined'
  const goOn =
    folderOfAgent(agent) === undefined
      ? `resume ${run} in the program that defines the agent "${inertLine(agent)}".`
      : `go on with: ${commandLine(place, 'resume', run)}`
  const next = isDriven ? 'The process that waits for it goes on.' : `Nobody waits for it; ${goOn}`
  process.stdout.write(`${what}: ${inertLine(tool)} ${clipped(visibleJson(args), 200)}\n${next}\n`)
}
