import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { answerText, argumentsOfStep, steps, toolName } from './task.ts'

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

/**
 * A model of the AI SDK's provider interface that plays the loop again and again, without a network and without
 * work of its own. Both ways of asking it share its steps. It records nothing, unlike the SDK's own mock model,
 * so that a thousand runs do not pile up prompts.
 */
export function loopingModel(callsPerRun = steps): LanguageModelV4 {
  let asked = 0
  const nextStep = () => {
    const step = (asked % (callsPerRun + 1)) + 1
    asked += 1
    return step > callsPerRun ? undefined : { step, id: `call-${step}` }
  }
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'looping',
    supportedUrls: {},
    async doGenerate() {
      const call = nextStep()
      if (call === undefined) {
        const finishReason = { unified: 'stop', raw: undefined } as const
        return { content: [{ type: 'text', text: answerText }], finishReason, usage, warnings: [] }
      }
      const finishReason = { unified: 'tool-calls', raw: undefined } as const
      return { content: [callPart(call)], finishReason, usage, warnings: [] }
    },
    async doStream() {
      return { stream: streamOf(partsOf(nextStep())) }
    },
  }
}

function callPart({ step, id }: { step: number; id: string }) {
  return { type: 'tool-call', toolCallId: id, toolName, input: argumentsOfStep(step) } as const
}

function partsOf(call: { step: number; id: string } | undefined): LanguageModelV4StreamPart[] {
  if (call === undefined) {
    return [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: answerText },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
    ]
  }
  return [
    { type: 'stream-start', warnings: [] },
    callPart(call),
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage },
  ]
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
