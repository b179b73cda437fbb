import type { StepResult } from '../../agent/foreign-step.ts'
import type { ApprovalOptions } from '../approvals/choose-approvals.ts'
import { type CommandOptions, type Place, placeOf } from '../command-options.ts'
import { drivenAgent } from '../driven-agent.ts'
import { jsonArgument } from '../json-argument.ts'
import { nextCommands } from '../next-steps.ts'
import { withStore } from '../open-store.ts'
import { withInterrupts } from '../run-session.ts'
import { silentModel } from '../silent-model.ts'
import { inertText } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import type { Output } from '../terminal/output.ts'
import { UsageError } from '../usage-error.ts'

export type CallOptions = CommandOptions & ApprovalOptions & { readonly args: string }

/**
 * Makes one call of a tool by hand; it walks the same way as a model's. The result goes to standard output,
 * everything about the way to it to standard error.
 */
export async function call(tool: string, options: CallOptions): Promise<number> {
  if (options.wait === true && options.leaveOpen !== true)
    throw new UsageError('--wait goes with --leave-open.')
  jsonArgument('--args', options.args)
  const place = placeOf(options)
  return await withStore(place, async (store) => {
    const { agent, asks, output } = drivenAgent(place, store, silentModel(), options, process.stderr)
    // An unknown name is a mistake of who types, not of a model: it is told before anything is recorded.
    await agent.explain(tool, options.args, { mode: 'ask' })
    const session = await agent.startSession('ask')
    const calls = [{ name: tool, arguments: options.args }]
    const result = await withInterrupts(asks, (signal) => session.step({ calls }, { signal }))
    return options.json === true ? showJson(place, result) : show(place, result, output)
  })
}

function showJson(place: Place, step: StepResult): number {
  const { run, tickets } = step
  const [result] = step.results
  writeJson({ ...result, run, tickets, next: nextCommands(place, asRun(step)) })
  return exitCodeOf(step)
}

function show(place: Place, step: StepResult, output: Output): number {
  const [result] = step.results
  if (result === undefined) return 1
  if (result.status === 'waiting') {
    output.line('The call waits for an answer. Answer, then go on:')
    for (const command of nextCommands(place, asRun(step))) output.line(`  ${command}`)
    return 0
  }
  const text = inertText(result.text)
  if (result.status === 'completed')
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  else output.line(`${text} [${result.code ?? result.status}]`)
  return exitCodeOf(step)
}

function asRun({ run, status, tickets }: StepResult) {
  return { run, status, tickets, text: '', steps: 1, usage: {} }
}

function exitCodeOf({ results }: StepResult): number {
  const status = results[0]?.status
  return status === 'completed' || status === 'waiting' ? 0 : 1
}
