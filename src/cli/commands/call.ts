import type { StepResult } from '../../agent/foreign-step.ts'
import type { SessionState } from '../../core/run/state.ts'
import { processOwner } from '../../process/process-owner.ts'
import { type AgentsHere, withAgents } from '../agents-here.ts'
import type { ApprovalOptions } from '../approvals/choose-approvals.ts'
import { askKinds } from '../ask-kinds.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { drivenAgent, type MakeAgent, withAnswerers } from '../driven-agent.ts'
import { jsonArgument } from '../json-argument.ts'
import { mainAgent } from '../main-agent.ts'
import { nextCommands, restingLines } from '../next-steps.ts'
import { withInterrupts } from '../run-session.ts'
import { silentModel } from '../silent-model.ts'
import { inertText } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import type { Output } from '../terminal/output.ts'
import { UsageError } from '../usage-error.ts'

export type CallOptions = AgentOptions & ApprovalOptions & { readonly args: string }

/**
 * Makes one call of a tool by hand; it walks the same way as a model's. The result goes to standard output,
 * everything about the way to it to standard error.
 */
export async function call(tool: string, options: CallOptions): Promise<number> {
  if (options.wait === true && options.leaveOpen !== true)
    throw new UsageError('--wait goes with --leave-open.')
  jsonArgument('--args', options.args)
  const place = placeOf(options)
  const work = async (here: AgentsHere) => {
    const { agent, asks, output } = drivenAgent(place, makeFor(place, here), options, process.stderr)
    // An unknown name is a mistake of who types, not of a model: it is told before anything is recorded.
    await agent.explain(tool, options.args)
    const session = await agent.startSession(place.module === undefined ? 'ask' : {})
    const calls = [{ name: tool, arguments: options.args }]
    const result = await withInterrupts(asks, (signal) => session.step({ calls }, { signal }))
    const next = nextCommands(place, result, await askKinds(agent, result.tickets))
    if (options.json === true) return showJson(result, next)
    return show(result, { heading: headingOf(place, result, session.state), next }, output)
  }
  return await withAgents(place, work, { makes: true })
}

function makeFor(place: Place, { store, agentFor }: AgentsHere): MakeAgent {
  if (place.module !== undefined) return withAnswerers(agentFor())
  return (answerers) =>
    mainAgent({ dir: place.folder.root, store, model: silentModel(), owner: processOwner(), ...answerers })
}

function showJson(step: StepResult, next: readonly string[]): number {
  const { run, tickets } = step
  const [result] = step.results
  writeJson({ ...result, run, tickets, next })
  return exitCodeOf(step)
}

/** What stands over the commands with which a call that waits goes on. */
function headingOf(place: Place, step: StepResult, state: SessionState): readonly string[] {
  if (step.tickets.length === 0) return restingLines(place, step, state)
  return ['The call waits for an answer. Answer, then go on:']
}

interface Waiting {
  readonly heading: readonly string[]
  readonly next: readonly string[]
}

function show(step: StepResult, { heading, next }: Waiting, output: Output): number {
  const [result] = step.results
  if (result === undefined) return 1
  if (result.status === 'waiting') {
    for (const line of heading) output.line(line)
    for (const command of next) output.line(`  ${command}`)
    return 0
  }
  const text = inertText(result.text)
  if (result.status === 'completed')
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  else output.line(`${text} [${result.code ?? result.status}]`)
  return exitCodeOf(step)
}

function exitCodeOf({ results }: StepResult): number {
  const status = results[0]?.status
  return status === 'completed' || status === 'waiting' ? 0 : 1
}
