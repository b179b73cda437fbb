import type { Catalog } from '../core/catalog.ts'
import type { AssistantPart } from '../core/driver.ts'
import type { Event } from '../core/event.ts'
import { isCallableByModel, isListed } from '../core/exposure.ts'
import { limits } from '../core/limits.ts'
import type { Decision } from '../core/policy/evaluate.ts'
import type { Tool } from '../core/tool/tool.ts'
import { toldOf } from './budget.ts'
import { gatherFacts, judgeCall, judgeTool, recorded } from './judge.ts'
import type { Answer, Task } from './task.ts'
import { askEvent } from './tickets.ts'
import { type Accepted, type Refusal, validateArguments } from './validator.ts'

type CallPart = Extract<AssistantPart, { kind: 'call' }>

/** One proposed call after the check, before anything is written. */
interface Checked {
  readonly id: string
  readonly part: CallPart
  readonly tool?: Tool
  readonly accepted?: Accepted
  readonly decision?: Decision
  readonly refusal?: Refusal
  /** The equal call before it whose outcome counts for this one too. */
  readonly shares?: string
}

/**
 * Takes a model's answer: checks all of its calls before any is decided, then writes the message, the
 * proposals, the refusals and the asks in one append. A call that does not pass becomes a result that the
 * model can repair.
 */
export async function takeStep(task: Task, answer: Answer): Promise<void> {
  const { journal, lease, run } = task
  const step = (journal.state.runs.get(run)?.step ?? 0) + 1
  const { parts, given } = withUniqueIds(task, answer.parts)
  const proposals = answer.finish === 'stop' || answer.finish === 'calls' ? parts.filter(isCall) : []
  const kept = proposals.length === 0 ? parts.filter((part) => !isCall(part)) : parts
  await task.scopes?.refresh()
  const checked = await checkAll(task, step, proposals)
  const events: Event[] = [
    messageEvent(task, step, kept, answer),
    ...(answer.usage === undefined ? [] : [usageEvent(run, step, answer.usage)]),
    ...checked.map((call, index) => proposedEvent(task, step, call, index, given)),
    ...checked.flatMap((call) => verdictEvents(task, call)),
  ]
  await journal.write(() => events, lease)
}

function messageEvent(
  { run }: Task,
  step: number,
  parts: readonly AssistantPart[],
  { finish, by }: Answer,
): Event {
  const message = { role: 'assistant' as const, step, parts, finish }
  return { type: 'message.added', run, message: by === undefined ? message : { ...message, by } }
}

function isCall(part: AssistantPart): part is CallPart {
  return part.kind === 'call'
}

function usageEvent(run: string, step: number, usage: NonNullable<Answer['usage']>): Event {
  return { type: 'usage.recorded', run, step, usage }
}

interface UniquelyNamed {
  readonly parts: readonly AssistantPart[]
  /** The ids as they were given, by the ids that replaced them. */
  readonly given: ReadonlyMap<string, string>
}

/** An id of more code units is replaced: who waits for the call has to repeat it. */
const idLengthMax = 256

/** A provider may use an id twice; the model then knows the later call by the id with a number behind it. */
function withUniqueIds(task: Task, parts: readonly AssistantPart[]): UniquelyNamed {
  const taken = new Set<string>()
  const given = new Map<string, string>()
  const isTaken = (id: string) => taken.has(id) || task.journal.state.modelCallIds.has(id)
  const named = parts.map((part) => {
    if (!isCall(part)) return part
    const said = part.modelCallId
    const base = said === '' || said.length > idLengthMax ? 'call' : said
    let modelCallId = base
    for (let count = 2; isTaken(modelCallId); count += 1) modelCallId = `${base}_${count}`
    taken.add(modelCallId)
    if (modelCallId !== said) given.set(modelCallId, said)
    return { ...part, modelCallId }
  })
  return { parts: named, given }
}

async function checkAll(task: Task, step: number, proposals: readonly CallPart[]): Promise<Checked[]> {
  const checked: Checked[] = []
  const digests = new Set<string>()
  for (const [index, part] of proposals.entries()) {
    const call = await checkOne(task, part, boundRefusal(task, step, index))
    const digest = call.accepted?.digest
    const repeated = digest !== undefined && digests.has(digest) && isRepeatRefused(call)
    checked.push(repeated ? { ...call, refusal: repeatedRefusal } : sharing(call, checked))
    if (digest !== undefined) digests.add(digest)
  }
  return checked
}

/** Where equal calls share one outcome, the first is asked about and run, and each waits for the end of that before it. */
function sharing(call: Checked, before: readonly Checked[]): Checked {
  if (call.tool?.dedupe !== 'share' || call.refusal !== undefined) return call
  const digest = call.accepted?.digest
  const equal = before.findLast((other) => other.accepted?.digest === digest && other.refusal === undefined)
  return equal === undefined ? call : { ...call, shares: equal.id }
}

/** The bounds of a run that a call would pass, whatever it is. */
function boundRefusal(task: Task, step: number, index: number): Refusal | undefined {
  const run = task.journal.state.runs.get(task.run)
  if (run === undefined) return undefined
  if (step >= run.stepsMax) {
    return {
      code: 'step_limit',
      message: `The run has used its ${run.stepsMax} steps; nothing more is executed.`,
    }
  }
  if (index >= limits.stepCallsMax) {
    return {
      code: 'over_budget',
      category: 'budget',
      message: `One step has at most ${limits.stepCallsMax} calls.`,
    }
  }
  if (run.callCount + index >= run.callsMax) {
    return { code: 'over_budget', category: 'budget', message: `The run has used its ${run.callsMax} calls.` }
  }
  return undefined
}

const repeatedRefusal: Refusal = {
  code: 'duplicate_call',
  message:
    'The same call stands in this answer already; it runs once. Make it again later if it is meant twice.',
}

function isRepeatRefused(call: Checked): boolean {
  return call.tool?.dedupe === 'error' && call.decision?.toolClass !== 'read'
}

async function checkOne(task: Task, part: CallPart, bound: Refusal | undefined): Promise<Checked> {
  const id = task.parts.ids.next('call')
  if (bound !== undefined) return { id, part, refusal: bound }
  const tool = task.catalog.find(part.name)
  if (tool === undefined || !isCallableByModel(tool.exposure)) {
    return { id, part, refusal: unknownTool(part.name, task.catalog) }
  }
  const early = judgeTool(task, tool)
  if (early.verdict === 'deny')
    return { id, part, tool, decision: early, refusal: deniedRefusal(tool, early) }
  const validated = await validateArguments(task, tool, id, part.argumentsText)
  if ('refused' in validated) return { id, part, tool, refusal: validated.refused }
  const { accepted, value } = validated
  const earlier = uncertainRefusal(task, accepted.digest)
  if (earlier !== undefined) return { id, part, tool, accepted, refusal: earlier }
  const decision = judgeCall(task, tool, accepted, await gatherFacts(task, tool, id, value))
  const refusal = decision.verdict === 'deny' ? { refusal: deniedRefusal(tool, decision) } : {}
  return { id, part, tool, accepted, decision, ...refusal }
}

function unknownTool(name: string, catalog: Catalog): Refusal {
  const names = catalog.tools.filter((tool) => isListed(tool.exposure)).map((tool) => tool.name)
  const some = names.slice(0, 20).join(', ')
  const list =
    names.length === 0 ? 'There are no tools.' : `The tools are: ${some}${names.length > 20 ? ', ...' : ''}.`
  return { code: 'unknown_tool', message: `Unknown tool: ${JSON.stringify(name.slice(0, 200))}. ${list}` }
}

/** What a denial says to the model: the kind, and the reason unless it is private. */
export function deniedRefusal(tool: Tool, decision: Decision): Refusal {
  const { category = 'unknown', reason } = decision
  return {
    code: 'denied',
    category,
    message: `The tool "${tool.name}" is not allowed here (${category}): ${reason}`,
  }
}

/** An effect that nobody saw may have taken place: the same call waits until somebody has looked. */
export function uncertainRefusal(task: Task, digest: string): Refusal | undefined {
  const earlier = task.journal.state.uncertain.get(digest)
  if (earlier === undefined) return undefined
  return {
    code: 'uncertain_earlier',
    message: `The same call was made before (${earlier}) and nobody saw its outcome; it must be reconciled first.`,
  }
}

function proposedEvent(
  { run }: Task,
  step: number,
  call: Checked,
  index: number,
  given: UniquelyNamed['given'],
): Event {
  const { modelCallId, name, argumentsText } = call.part
  const givenCallId = given.get(modelCallId)
  return {
    type: 'call.proposed',
    run,
    step,
    call: call.id,
    index,
    modelCallId,
    ...(givenCallId === undefined ? {} : { givenCallId }),
    name,
    argumentsText,
    parallel: call.tool?.parallel ?? false,
    ...(call.tool?.yieldSchema === undefined ? {} : { yields: true }),
    ...(call.shares === undefined ? {} : { shares: call.shares }),
    ...(call.accepted === undefined ? {} : { accepted: call.accepted }),
  }
}

function verdictEvents(task: Task, call: Checked): Event[] {
  const { id, accepted, decision, refusal, shares } = call
  if (refusal !== undefined) {
    const why = decision?.verdict === 'deny' ? { decision: recorded(decision) } : {}
    const message = refusal.message.slice(0, limits.messageCharactersMax)
    const told = toldOf(task.budget, message)
    return [{ type: 'call.refused', call: id, ...refusal, message, ...told, ...why }]
  }
  if (accepted === undefined || decision?.verdict !== 'ask' || shares !== undefined) return []
  return [askEvent(task, id, accepted.digest, decision)]
}
