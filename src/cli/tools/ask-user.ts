import type { Tool } from '../../core/tool/tool.ts'
import { tool } from '../../executors/function/tool.ts'

/** Asks the person who works with the agent; what they answer is the result. */
export function askUser(): Tool {
  return tool({
    name: 'ask_user',
    title: 'Ask the user',
    description:
      'Ask the person a question that the files cannot answer, and wait for the answer. ' +
      'Choices, if you give any, are shown with it; the answer may be another one.',
    toolClass: 'read',
    schema: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1, maxLength: 2_000, description: 'One question.' },
        choices: {
          type: 'array',
          items: { type: 'string', maxLength: 200 },
          maxItems: 20,
          description: 'Answers to choose from.',
        },
      },
      required: ['question'],
      additionalProperties: false,
    } as const,
    yieldSchema: {
      type: 'object',
      properties: { answer: { type: 'string', minLength: 1, description: 'what the model is told' } },
      required: ['answer'],
      additionalProperties: false,
    },
  })
}
