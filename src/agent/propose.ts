import type { DriverPart, DriverRequest } from '../core/driver.ts'
import { isToolpostError, ToolpostError } from '../core/error.ts'
import type { Answer, Task } from '../runtime/task.ts'
import { composeContext } from './context.ts'
import type { Definition } from './definition.ts'
import { offerTools } from './offered.ts'
import { readAnswer } from './read-answer.ts'
import type { Delta } from './run-event.ts'

const firstDelayMs = 500

/** Asks the model for its next step, with the tools that the policy lets it see at this moment. */
export async function propose(
  definition: Definition,
  task: Task,
  step: number,
  emit: (delta: Delta) => void,
): Promise<Answer> {
  const offer = offerTools(task)
  if (task.journal.state.offered !== offer.digest) {
    const { digest: catalog, list: tools } = offer
    await task.journal.write(
      () => [{ type: 'tools.offered', run: task.run, step, catalog, tools }],
      task.lease,
    )
  }
  const messages = composeContext(task.journal.state, definition.instructions, definition.history)
  return await askPatiently(definition, { messages, tools: offer.tools }, task, emit)
}

/** A refusal that the provider calls temporary is tried again, as long as nothing of the answer has been shown. */
async function askPatiently(
  definition: Definition,
  request: DriverRequest,
  task: Task,
  emit: (delta: Delta) => void,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    let shown = false
    const onPart = (delta: Delta) => {
      shown = true
      emit(delta)
    }
    try {
      return await ask(definition, request, task.signal, onPart)
    } catch (error) {
      const again = isToolpostError(error) && error.details.retryable === true && !shown
      if (!again || attempt >= definition.modelAttempts) throw error
      await task.parts.clock.sleep(firstDelayMs * 2 ** (attempt - 1), task.signal)
    }
  }
}

async function ask(
  definition: Definition,
  request: DriverRequest,
  signal: AbortSignal,
  emit: (delta: Delta) => void,
): Promise<Answer> {
  const { driver } = definition
  for await (const part of driver.propose(request, signal)) {
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
