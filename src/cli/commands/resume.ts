import type { Agent } from '../../agent/agent.ts'
import { handedInModel } from '../../agent/foreign-step.ts'
import { isToolpostError, ToolpostError } from '../../core/error.ts'
import type { SessionState } from '../../core/run/state.ts'
import type { IndexRow } from '../../core/store.ts'
import type { Model } from '../../models/model.ts'
import { processOwner } from '../../process/process-owner.ts'
import { agentOfChild } from '../agent-that-knows.ts'
import { type AgentsHere, withAgents } from '../agents-here.ts'
import type { ApprovalOptions } from '../approvals/choose-approvals.ts'
import { chooseModel, type ModelOptions } from '../choose-model.ts'
import { type AgentOptions, type Place, placeOf } from '../command-options.ts'
import { connectModel } from '../connect-model.ts'
import { drivenAgent, type MakeAgent, withAnswerers } from '../driven-agent.ts'
import { findRun, openRuns, requireOurs } from '../find-run.ts'
import { leftOut, tellLeftOut } from '../left-out.ts'
import { mainAgent } from '../main-agent.ts'
import { exitCodeOf } from '../run-session.ts'
import { scriptedJob, scriptedModelName } from '../scripted-job.ts'
import { silentModel } from '../silent-model.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { timeText } from '../terminal/input-card.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type ResumeOptions = AgentOptions & ApprovalOptions & ModelOptions

/** Goes on with a run that has not ended: after a crash, after an answer. */
export async function resume(run: string | undefined, options: ResumeOptions): Promise<number> {
  if (options.wait === true && options.leaveOpen !== true)
    throw new UsageError('--wait goes with --leave-open.')
  const place = placeOf(options)
  if (place.module !== undefined && (options.model !== undefined || options.scripted === true))
    throw new UsageError(
      '--agent has a model of its own; --model and --scripted are for the agent of a folder.',
    )
  return await withAgents(place, async (here) => {
    if (run === undefined) return await resumeNewest(place, here, options)
    const row = await findRun(here.store, run)
    const knowing = await agentOfChild(here, row)
    if (knowing === undefined) requireOurs(place, here, row)
    return await resumeRow(place, here, row, options, knowing)
  })
}

/** What cannot be gone on with stops no older run: it is told, and the next one is tried. */
async function resumeNewest(place: Place, here: AgentsHere, options: ResumeOptions): Promise<number> {
  const [newest, ...older] = await openRuns(place, here)
  for (let row = newest as IndexRow; ; ) {
    try {
      return await resumeRow(place, here, row, options)
    } catch (error) {
      const next = older.shift()
      if (next === undefined || !isOfOneRun(error)) throw error
      tellLeftOut([leftOut(row.data.session, error)], false)
      row = next
    }
  }
}

function isOfOneRun(error: unknown): boolean {
  return (
    isToolpostError(error) && ['STORE_CORRUPT', 'ILLEGAL_EVENT', 'DEFINITION_CHANGED'].includes(error.code)
  )
}

async function resumeRow(
  place: Place,
  here: AgentsHere,
  row: IndexRow,
  options: ResumeOptions,
  knowing?: Agent,
): Promise<number> {
  const make = knowing === undefined ? await makeFor(place, here, row, options) : withAnswerers(knowing)
  const driven = drivenAgent(place, make, options)
  const session = await driven.agent.openSession(String(row.data.session))
  if (session.state.openRun !== row.id) throw ended(row, session.state)
  if (options.json === true) announceJson(place, row.id, session.id)
  else driven.output.line(`Going on with ${row.id}, after step ${session.state.runs.get(row.id)?.step ?? 0}.`)
  const result = await driven
    .drive(session, (signal) => session.resume({ signal, children: true }))
    .catch((error: unknown) => Promise.reject(busy(error, row.id)))
  return exitCodeOf(result)
}

/** The agent that the run goes on with: a module's as it is, or the folder's with the model that the run had. */
async function makeFor(
  place: Place,
  { store, agentFor }: AgentsHere,
  { data }: IndexRow,
  options: ResumeOptions,
): Promise<MakeAgent> {
  if (place.module !== undefined) return withAnswerers(agentFor(String(data.agent)))
  const model = await modelOf(String(data.model), options)
  return (answerers) =>
    mainAgent({ dir: place.folder.root, store, model, owner: processOwner(), ...answerers })
}

function announceJson({ module, folder, storeFile }: Place, run: string, session: string): void {
  const where = module === undefined ? { dir: folder.root, store: storeFile } : { module }
  writeJson({ type: 'resume', ...where, session, run })
}

/** The row was read before the log: between the two, another process can have brought the run to its end. */
function ended({ id, status }: IndexRow, state: SessionState): ToolpostError {
  const now = state.runs.get(id)?.ended?.status ?? status
  const sentence =
    status === now
      ? `The run "${id}" has ended (${now}); there is nothing to resume.`
      : `Another process drives the run "${id}" and has just ended it (${now}); there is nothing to resume.`
  return new ToolpostError('RUN_NOT_FOUND', sentence)
}

/** Says which run is meant, for who typed a command about a run and knows no session. */
export function busy(error: unknown, run: string): unknown {
  if (!isToolpostError(error) || error.code !== 'SESSION_BUSY') return error
  const { expiresAt, child } = error.details
  // It names the run below that is driven.
  if (child !== undefined) return error
  const until =
    typeof expiresAt === 'number' ? `, and keeps it until ${timeText(expiresAt)} unless it goes on` : ''
  const sentence = `Another process drives the run "${run}" right now${until}; wait until it is done, or answer its asks from here.`
  return new ToolpostError('SESSION_BUSY', sentence, { cause: error, details: error.details })
}

/** A script goes on as the same script, a single call ends with its call, and a real model needs its connection again. */
async function modelOf(name: string, options: ResumeOptions): Promise<Model> {
  if (name === handedInModel) return silentModel()
  const isChosen = options.model !== undefined || options.scripted === true
  if (name === scriptedModelName && !isChosen) return scriptedJob()
  const choice = chooseModel(options)
  if (choice.kind !== 'scripted') return await connectModel(choice)
  if (options.scripted === true) return scriptedJob()
  const sentence = `The run began with the model ${inertLine(name)}; set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENAI_BASE_URL to go on with a model.`
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
