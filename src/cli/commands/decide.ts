import type { Agent } from '../../agent/agent.ts'
import type { ApprovalDecision } from '../../core/decision.ts'
import { ToolpostError } from '../../core/error.ts'
import type { JsonObject, JsonValue } from '../../core/json/value.ts'
import type { IndexRow } from '../../core/store.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { jsonArgument } from '../json-argument.ts'
import { answeringCommand } from '../next-steps.ts'
import { personAtCommandLine } from '../person.ts'
import { type AnsweredAsk, answeredAsk, goOnLine, withAsk } from '../redeemed-ask.ts'
import { clipped } from '../terminal/clipped.ts'
import { inertLine, visibleJson } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'

export type ApproveOptions = AgentOptions & {
  readonly session?: boolean
  readonly args?: string
  readonly reason?: string
}
export type DenyOptions = AgentOptions & { readonly reason: string }

/** Allows an ask; whoever waits for it, in any process, goes on. */
export async function approve(ticket: string, options: ApproveOptions): Promise<number> {
  const edited = options.args === undefined ? undefined : jsonArgument('--args', options.args)
  return await decide(ticket, options, async (agent, row, place) => {
    refuseQuestion(row, place)
    return {
      approved: true,
      ...(options.session === true ? { scope: 'session' } : {}),
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(edited === undefined ? {} : { editedArgs: await passing(agent, place, row, edited) }),
    }
  })
}

/** Declines an ask, or what a tool asks for; the model is told the reason. */
export async function deny(ticket: string, options: DenyOptions): Promise<number> {
  return await decide(ticket, options, async () => ({ approved: false, reason: options.reason }))
}

type Decide = (agent: Agent, row: IndexRow, place: Place) => Promise<ApprovalDecision>

async function decide(ticket: string, options: AgentOptions, decisionOf: Decide): Promise<number> {
  const place = placeOf(options)
  return await withAsk(place, ticket, async (agent, row, here) => {
    const decision = await decisionOf(agent, row, place)
    const by = personAtCommandLine()
    await agent.decide(ticket, decision, by)
    const told = await answeredAsk(agent, here, row)
    const { approved = false, scope = 'once' } = told.decided ?? {}
    const { tool, args, run, isDriven } = told
    if (options.json === true) writeJson({ ask: ticket, by, approved, scope, tool, args, run, isDriven })
    else say(place, told)
    return 0
  })
}

function refuseQuestion({ id, data }: IndexRow, place: Place): void {
  if (data.kind !== 'input') return
  throw new ToolpostError(
    'INVALID_DECISION',
    `The ask "${id}" is a question of the tool "${data.tool}", which needs a value; give it with: ${answeringCommand(place, id, 'input')}`,
  )
}

/** What a person made of the arguments, checked and prepared by the tool. Errors: INVALID_DECISION. */
async function passing(
  agent: Agent,
  { module }: Place,
  { data }: IndexRow,
  edited: JsonObject,
): Promise<JsonValue> {
  const judged = module === undefined ? ({ mode: 'ask' } as const) : {}
  const { args, fault, decision } = await agent.explain(String(data.tool), edited, judged)
  if (args === undefined)
    throw new ToolpostError('INVALID_DECISION', `The arguments do not pass: ${fault ?? 'they are wrong'}`)
  if (decision.verdict !== 'deny') return args
  throw new ToolpostError(
    'INVALID_DECISION',
    `With these arguments the call is not allowed: ${decision.reason}`,
  )
}

function say(place: Place, told: AnsweredAsk): void {
  const { tool, args, decided } = told
  const scope = decided?.scope === 'session' ? ' for the session' : ''
  const what = decided?.approved === true ? `Allowed${scope}` : 'Declined'
  const line = `${what}: ${inertLine(tool)} ${clipped(visibleJson(args), 200)}`
  process.stdout.write(`${line}\n${goOnLine(place, told)}\n`)
}
