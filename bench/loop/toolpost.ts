import { agent, type Model, type Store, tool } from '../../dist/index.js'
import type { Work } from '../measure.ts'
import { argumentsSchema, checkStock, description, instructions, question, steps, toolName } from './task.ts'

interface Options {
  readonly model: Model
  readonly store: Store
  readonly toolClass: 'read' | 'write'
}

/**
 * The loop through Toolpost, governed: the tool has a class, the session the mode `auto`, an approval handler
 * stands by. Every run is a session of its own.
 */
export function toolpostLoop({ model, store, toolClass }: Options): Work {
  const clerk = agent({
    name: 'clerk',
    model,
    instructions,
    tools: [tool({ name: toolName, description, toolClass, schema: argumentsSchema, execute: checkStock })],
    store,
    stepsMax: steps + 5,
    approvals: () => ({ approved: false }),
  })
  return async () => {
    const session = await clerk.startSession('auto')
    const result = await session.run(question)
    const completed = [...session.state.calls.values()].filter((call) => call.end?.status === 'completed')
    if (result.status !== 'completed' || completed.length !== steps) {
      throw new Error(`The loop ended as ${result.status} after ${completed.length} calls.`)
    }
  }
}
