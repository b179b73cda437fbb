import type { ApprovalDecision } from '../../src/host.ts'
import { differences } from './facts.ts'
import { FollowedRun } from './followed-run.ts'
import type { Play, SentResult } from './play.ts'
import type { Script } from './script.ts'

/** What nobody may find when a play is over. */
export async function checkPlay(script: Script, play: Play): Promise<readonly string[]> {
  const faults = [...play.faults]
  for (const run of play.runs) faults.push(...(await checkRun(play, run)))
  for (const sent of play.results) faults.push(...(await checkResult(play, sent)))
  for (const decision of play.decisions) faults.push(...(await checkDecision(play, decision)))
  if (play.host.complaints !== '') faults.push(`the host complained: ${play.host.complaints}`)
  return [...faults, ...checkEffects(script, play)]
}

/** Who reads the whole run now is told what was told on all the connections together. */
async function checkRun(play: Play, run: FollowedRun): Promise<readonly string[]> {
  const { runId = '', end } = run
  if (end === undefined) return [...run.faults, 'a run has no end']
  const whole = new FollowedRun(undefined, runId)
  await whole.attach(play.host.url)
  await whole.gone()
  const { status } = (await play.get(`/v1/runs/${runId}`)).body as { readonly status: string }
  // A replay leaves out what only the first reader may act on.
  const isReplay = play.runs.find((known) => known.runId === runId) !== run
  const isSame = end.type === `run.${status}`
  return [
    ...run.faults,
    ...whole.faults.map((fault) => `read as a whole: ${fault}`),
    ...(isReplay ? [] : differences(run.events, whole.events)),
    ...(isSame ? [] : [`a run that ended with ${end.type} is ${status}`]),
  ]
}

/** A result that was taken gets its receipt again, and no other result does. */
async function checkResult(play: Play, { result, isAccepted }: SentResult): Promise<readonly string[]> {
  if (!isAccepted) return []
  const path = '/v1/tool-executions/results'
  const again = await play.post(path, result)
  const { executionId, runId, callId, resultKey = '' } = result
  const other = await play.post(path, { executionId, runId, callId, output: 'something else', resultKey })
  const keyless = await play.post(path, { executionId, runId, callId, output: null })
  const { body } = await play.get(`/v1/tool-executions/${executionId}`)
  const { status } = body as { readonly status: string }
  const isKept = status === ('error' in result ? 'failed' : 'completed')
  return [
    ...(again.status === 200 ? [] : [`an accepted result, sent again, came to ${again.code}`]),
    ...(other.code === 'TOOL_RESULT_CONFLICT' ? [] : [`another result under its key came to ${other.code}`]),
    ...(keyless.code === 'TOOL_EXECUTION_NOT_FOUND' ? [] : [`a second result came to ${keyless.code}`]),
    ...(isKept ? [] : [`the execution of an accepted result is ${status}`]),
  ]
}

/** An ask is decided once. */
async function checkDecision(play: Play, decision: ApprovalDecision): Promise<readonly string[]> {
  const again = await play.post('/v1/approvals/decisions', decision)
  return again.code === 'APPROVAL_NOT_FOUND'
    ? []
    : [`a second decision came to ${again.code ?? again.status}`]
}

function checkEffects({ executions }: Script, { witness }: Play): readonly string[] {
  const lines = witness.read()
  const tickets = lines.flatMap((line) => (line.did === 'function' ? [line.ticket] : []))
  const tools = lines.flatMap((line) => (line.did === 'tool' ? [line.call] : []))
  return [
    ...twice(tickets).map((ticket) => `the function ran twice for ${ticket}`),
    ...twice(tools).map((call) => `the tool ran twice for ${call}`),
    ...(tickets.length === executions ? [] : [`${tickets.length} executions instead of ${executions}`]),
  ]
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
