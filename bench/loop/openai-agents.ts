import { Agent, type Model, type ModelResponse, run, setTracingDisabled, tool, Usage } from '@openai/agents'
import type { Work } from '../measure.ts'
import {
  answerText,
  argumentsOfStep,
  argumentsSchema,
  checkStock,
  description,
  instructions,
  question,
  steps,
  toolName,
} from './task.ts'

setTracingDisabled(true)

/** The loop through the OpenAI Agents SDK, its tracing off. */
export function openaiAgentsLoop(): Work {
  const agent = new Agent({
    name: 'clerk',
    instructions,
    model: loopingModel(),
    tools: [
      tool({
        name: toolName,
        description,
        parameters: argumentsSchema,
        execute: async (input) => checkStock(input),
      }),
    ],
  })
  return async () => {
    const result = await run(agent, question, { maxTurns: steps + 5 })
    if (result.finalOutput !== answerText) throw new Error('The loop ended early.')
  }
}

function loopingModel(): Model {
  let asked = 0
  return {
    async getResponse() {
      const step = (asked % (steps + 1)) + 1
      asked += 1
      return {
        usage: new Usage({ inputTokens: 10, outputTokens: 5, totalTokens: 15 }),
        output: outputOf(step),
      }
    },
    getStreamedResponse() {
      throw new Error('The loop asks for whole responses.')
    },
  }
}

function outputOf(step: number): ModelResponse['output'] {
  if (step > steps) {
    return [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: answerText }],
      },
    ]
  }
  const callId = `call-${step}`
  return [
    { type: 'function_call', callId, name: toolName, arguments: argumentsOfStep(step), status: 'completed' },
  ]
}
