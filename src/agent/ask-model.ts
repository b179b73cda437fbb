import type { DriverPart, DriverRequest } from '../core/driver.ts'
import { ToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import { turnBeforePart } from '../runtime/event-loop-turn.ts'
import { runSideFunction } from '../runtime/side-function.ts'
import type { Task } from '../runtime/task.ts'
import type { Definition } from './definition.ts'
import type { HeldDeltas } from './held-deltas.ts'
import { HookStop } from './hook-stop.ts'
import { type ModelErrorContext, type ModelErrorVerdict, readVerdict, usualVerdict } from './model-error.ts'
import { type ReadAnswer, readAnswer } from './read-answer.ts'
import type { Delta } from './run-event.ts'

/** One request to the model, and who is shown what of its answer. */
export interface ModelRequest {
  readonly definition: Definition
  readonly task: Task
  readonly step: number
  readonly request: DriverRequest
  readonly deltas: HeldDeltas
}

/**
 * Asks the model, again where its failure may pass: what the provider calls temporary, as long as nothing of the answer
 * has been shown, or what the agent's `onModelError` says. Gives the answer, or the text that stands in for it.
 */
export async function askPatiently(asked: ModelRequest): Promise<ReadAnswer | { readonly standIn: string }> {
  const { definition, task, step, deltas } = asked
  for (let attempt = 1; ; attempt += 1) {
    let shown = false
    const onPart = (delta: Delta) => {
      shown = deltas.show(delta) || shown
    }
    try {
      return await ask(asked, onPart)
    } catch (error) {
      if (task.signal.aborted) throw error
      const verdict = await verdictOn(asked, error, { attempt, step, signal: task.signal, shown })
      if (verdict !== undefined && 'answer' in verdict) return { standIn: verdict.answer }
      if (verdict === undefined || attempt >= definition.modelAttempts) throw error
      deltas.drop()
      await task.parts.clock.sleep(verdict.afterMs, task.signal)
    }
  }
}

async function verdictOn(
  { definition: { onModelError }, task }: ModelRequest,
  error: unknown,
  context: ModelErrorContext,
): Promise<ModelErrorVerdict> {
  if (onModelError === undefined) return usualVerdict(error, context)
  const failed = (fault: string) =>
    new HookStop('failed', `The model failed: ${messageOf(error)}; and onModelError failed: ${fault}`)
  const said = await runSideFunction(task, 'onModelError', () => onModelError(error, context))
  if ('fault' in said) throw failed(said.fault)
  try {
    return readVerdict(said.value, error, context)
  } catch (thrown) {
    throw failed(messageOf(thrown))
  }
}

async function ask(
  { definition: { driver }, request, task }: ModelRequest,
  emit: (delta: Delta) => void,
): Promise<ReadAnswer> {
  for await (const part of driver.propose(request, task.signal)) {
    const turn = turnBeforePart()
    if (turn !== undefined) await turn
    if (part.type === 'finish') return readAnswer(driver.name, part)
    const delta = deltaOf(part)
    if (delta !== undefined) emit(delta)
  }
  throw new ToolpostError('MODEL_FAILED', `The model ${driver.name} broke off before the end of its answer.`)
}

/** What may be shown of a part; nothing of one that does not exist or has no text. */
function deltaOf(part: Exclude<DriverPart, { type: 'finish' }>): Delta | undefined {
  switch (part.type) {
    case 'text':
      return isText(part.delta) ? { type: 'text.delta', delta: part.delta } : undefined
    case 'reasoning':
      return isText(part.delta) ? { type: 'reasoning.delta', delta: part.delta } : undefined
    case 'call': {
      const { modelCallId, name } = part
      return isText(modelCallId) && isText(name) ? { type: 'call.delta', modelCallId, name } : undefined
    }
    case 'warning':
      return isText(part.message) ? { type: 'warning', message: part.message } : undefined
    default:
      return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
