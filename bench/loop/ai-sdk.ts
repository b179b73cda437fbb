import type { LanguageModelV4 } from '@ai-sdk/provider'
import { generateText, isStepCount, streamText, tool } from 'ai'
import type { Work } from '../measure.ts'
import { argumentsSchema, checkStock, description, instructions, question, steps, toolName } from './task.ts'

const tools = {
  [toolName]: tool({
    description,
    inputSchema: argumentsSchema,
    execute: async (input) => checkStock(input),
  }),
}

/** The loop through `generateText`. */
export function generateTextLoop(model: LanguageModelV4): Work {
  return async () => {
    const result = await generateText({
      model,
      tools,
      instructions,
      prompt: question,
      stopWhen: isStepCount(steps + 5),
    })
    expectSteps(result.steps.length)
  }
}

/** The loop through `streamText`, read to its end. */
export function streamTextLoop(model: LanguageModelV4): Work {
  return async () => {
    const result = streamText({
      model,
      tools,
      instructions,
      prompt: question,
      stopWhen: isStepCount(steps + 5),
    })
    await result.consumeStream()
    expectSteps((await result.steps).length)
  }
}

function expectSteps(count: number): void {
  if (count !== steps + 1) throw new Error(`The AI SDK took ${count} steps.`)
}
