import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

/** A provider that streams the given parts; what it was asked and whether it was let go can be read. */
export interface StreamModel extends LanguageModelV4 {
  readonly asked: LanguageModelV4CallOptions[]
  readonly cancelled: unknown[]
}

export function streamModel(
  parts: readonly (LanguageModelV4StreamPart | Error)[],
  { staysOpen = false } = {},
): StreamModel {
  const asked: LanguageModelV4CallOptions[] = []
  const cancelled: unknown[] = []
  return {
    specificationVersion: 'v4',
    provider: 'house',
    modelId: 'one',
    supportedUrls: {},
    asked,
    cancelled,
    doGenerate: () => Promise.reject(new Error('Only streams here.')),
    async doStream(options) {
      asked.push(options)
      const left = [...parts]
      const stream = new ReadableStream<LanguageModelV4StreamPart>(
        {
          pull(controller) {
            const part = left.shift()
            if (part instanceof Error) controller.error(part)
            else if (part !== undefined) controller.enqueue(part)
            else if (!staysOpen) controller.close()
          },
          cancel(reason) {
            cancelled.push(reason)
          },
        },
        { highWaterMark: 0 },
      )
      return { stream }
    },
  }
}

export function finish(unified: Finish['finishReason']['unified'], raw?: string): Finish {
  return {
    type: 'finish',
    finishReason: { unified, raw },
    usage: {
      inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
      outputTokens: { total: 3, text: 1, reasoning: 2 },
    },
  }
}
