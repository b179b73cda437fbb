import type { DriverRequest, ModelMessage } from '../core/driver.ts'
import type { Answer, Task } from '../runtime/task.ts'
import { askPatiently } from './ask-model.ts'
import { composeContext } from './context.ts'
import type { Definition } from './definition.ts'
import { warningOfEmpty } from './empty-answer.ts'
import { HeldDeltas } from './held-deltas.ts'
import { filesOf, keepMade } from './kept-files.ts'
import { afterModel, beforeModel, beforeRun, standIn } from './model-hooks.ts'
import { type Offer, offerTools } from './offered.ts'
import { instructionsFor } from './output-option.ts'
import { keptParts } from './provider-record.ts'
import type { ReadAnswer } from './read-answer.ts'
import type { Delta } from './run-event.ts'

/** Asks the model for its next step, with the tools that the policy lets it see at this moment. */
export async function propose(
  definition: Definition,
  task: Task,
  step: number,
  emit: (delta: Delta) => void,
): Promise<Answer> {
  const { hooks } = definition
  const deltas = new HeldDeltas(emit, hooks)
  const pass = async (answer: Answer, outside = hooks) => {
    const passed = await afterModel(outside, task, step, answer)
    deltas.release(passed)
    return passed
  }
  const early = step === 1 ? await beforeRun(hooks, task) : undefined
  if (early !== undefined) return await pass(early.answer, early.outside)
  const instructions = instructionsFor(definition.instructions, task.output)
  const messages = composeContext(task.journal.state, instructions, definition.history)
  const composed = { messages, offer: offerTools(task, definition.providerTools) }
  const before = await beforeModel(hooks, task, step, composed)
  if ('answer' in before) return await pass(before.answer, before.outside)
  await writeOffer(task, step, before.offer)
  const request = await requestOf(task, before.messages, before.offer)
  const answer = await askPatiently({ definition, task, step, request, deltas })
  if ('standIn' in answer) return await pass(standIn(answer.standIn, 'handler'))
  try {
    const passed = await pass(await keepAnswer(task, before.offer, answer, emit))
    const message = warningOfEmpty(definition, task, passed)
    if (message !== undefined) emit({ type: 'warning', message })
    return passed
  } catch (error) {
    await recordUsage(task, step, answer)
    throw error
  }
}

/** An answer that is discarded has used its tokens all the same. */
async function recordUsage(
  { journal, run, lease }: Task,
  step: number,
  { usage }: ReadAnswer,
): Promise<void> {
  if (usage !== undefined) await journal.write(() => [{ type: 'usage.recorded', run, step, usage }], lease)
}

async function writeOffer(task: Task, step: number, { digest: catalog, list: tools }: Offer): Promise<void> {
  if (task.journal.state.offered === catalog) return
  await task.journal.write(() => [{ type: 'tools.offered', run: task.run, step, catalog, tools }], task.lease)
}

async function requestOf(
  task: Task,
  messages: readonly ModelMessage[],
  { tools, providerTools }: Offer,
): Promise<DriverRequest> {
  return {
    messages,
    tools,
    ...(providerTools.length === 0 ? {} : { providerTools }),
    ...(task.output === undefined ? {} : { outputSchema: task.output.schema.jsonSchema }),
    ...filesIn(await filesOf(task, messages)),
  }
}

function filesIn(files: ReadonlyMap<string, Uint8Array>): Pick<DriverRequest, 'files'> {
  return files.size === 0 ? {} : { files }
}

/** What of an answer the log takes: no call of a tool that the provider was not offered, and no bytes. */
async function keepAnswer(
  task: Task,
  offer: Offer,
  answer: ReadAnswer,
  emit: (delta: Delta) => void,
): Promise<Answer> {
  const { parts, warnings } = keptParts(answer.parts, offer.providerTools, answer.finish)
  const warn = (message: string) => emit({ type: 'warning', message })
  warnings.forEach(warn)
  return { ...answer, parts: await keepMade(task, parts, warn) }
}
