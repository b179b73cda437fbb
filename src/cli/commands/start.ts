import type { Model } from '../../models/model.ts'
import { processOwner } from '../../process/process-owner.ts'
import type { ApprovalOptions } from '../approvals/choose-approvals.ts'
import { chooseModel, howToConnect, type ModelChoice, type ModelOptions } from '../choose-model.ts'
import { shortPath } from '../command-line.ts'
import { type CommandOptions, type Place, placeOf } from '../command-options.ts'
import { connectModel } from '../connect-model.ts'
import { type DrivenAgent, drivenAgent, type MakeAgent } from '../driven-agent.ts'
import { mainAgent } from '../main-agent.ts'
import { withStore } from '../open-store.ts'
import { exitCodeOf } from '../run-session.ts'
import { defaultRequest, scriptedJob } from '../scripted-job.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { isInteractive } from '../terminal/is-interactive.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { askText } from '../terminal/prompt.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'

export type StartOptions = CommandOptions & ApprovalOptions & ModelOptions

/** Opens an agent on a folder and drives one run of it. */
export async function start(request: string | undefined, options: StartOptions): Promise<number> {
  if (options.wait === true && options.leaveOpen !== true)
    throw new UsageError('--wait goes with --leave-open.')
  const place = placeOf(options)
  const choice = chooseModel(options)
  const model = choice.kind === 'scripted' ? scriptedJob() : await connectModel(choice)
  const input = await requestOf(request, choice, options)
  if (input === undefined) return 1
  return await withStore(place, async (store) => {
    const make: MakeAgent = (answerers) =>
      mainAgent({ dir: place.folder.root, store, model, owner: processOwner(), ...answerers })
    const driven = drivenAgent(place, make, options)
    const session = await driven.agent.startSession('ask')
    if (options.json === true) announceJson(place, choice, model, session.id)
    else announce(place, choice, model, request, driven)
    return exitCodeOf(await driven.drive(session, (signal) => session.stream(input, { signal })))
  })
}

/** The person's own words, from the command line or the terminal; a script does not listen, so it is not asked for. */
async function requestOf(
  request: string | undefined,
  choice: ModelChoice,
  options: StartOptions,
): Promise<string | undefined> {
  if (choice.kind === 'scripted') return defaultRequest
  if (request !== undefined && request.trim() !== '') return request
  if (options.leaveOpen === true || !isInteractive(options)) return defaultRequest
  const message = 'What shall be done in this folder?'
  const answer = await askText({ message, placeholder: defaultRequest }, new AbortController().signal)
  return answer?.trim() === '' ? defaultRequest : answer
}

function announce(
  place: Place,
  choice: ModelChoice,
  model: Model,
  request: string | undefined,
  driven: DrivenAgent,
): void {
  const { output, mode } = driven
  output.line(`${output.style('bold', 'Toolpost')} ${version()}: an agent on ${inertLine(place.folder.root)}`)
  if (choice.kind === 'scripted') {
    output.line(
      output.style(
        'yellow',
        'The model is scripted: a fixed job is played, and its tools run on the real files.',
      ),
    )
    for (const line of howToConnect) output.line(`  ${line}`)
    if (request !== undefined)
      output.line(output.style('yellow', 'A script does not read requests; yours was left aside.'))
  } else output.line(`Model: ${inertLine(modelName(model))}`)
  if (mode === 'decline')
    output.line(
      'No terminal is attached: what has to be approved is declined, unless --leave-open leaves it open.',
    )
  output.line(output.style('dim', `Recorded in ${inertLine(shortPath(place.storeFile))}`))
}

function announceJson(place: Place, choice: ModelChoice, model: Model, session: string): void {
  const scripted = choice.kind === 'scripted'
  writeJson({
    type: 'start',
    dir: place.folder.root,
    store: place.storeFile,
    session,
    model: modelName(model),
    scripted,
  })
}

function modelName(model: Model): string {
  if ('propose' in model) return model.name
  const { provider, modelId } = model as { provider?: unknown; modelId?: unknown }
  return `${String(provider)}/${String(modelId)}`
}
