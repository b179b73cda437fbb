import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { base64Of } from '../core/json/base64.ts'

type Part = { readonly type: string; readonly data?: unknown; readonly output?: unknown }

/**
 * The same request in the words of an older version of the provider interface. Versions 2 and 3 take a file's bytes
 * bare, name files of a result otherwise, and version 2 has another word for a tool that the provider runs.
 */
export function forVersion(
  options: LanguageModelV4CallOptions,
  version: unknown,
): LanguageModelV4CallOptions {
  if (version !== 'v2' && version !== 'v3') return options
  const prompt = options.prompt.map((message) => olderMessage(message, version))
  const tools = options.tools?.map((tool) =>
    version === 'v2' && tool.type === 'provider' ? { ...tool, type: 'provider-defined' } : tool,
  )
  // The newest version's types have no words for this.
  return { ...options, prompt, ...(tools && { tools }) } as LanguageModelV4CallOptions
}

function olderMessage(message: LanguageModelV4Message, version: 'v2' | 'v3'): LanguageModelV4Message {
  if (message.role === 'system') return message
  const content = (message.content as readonly Part[]).map((part) => olderPart(part, version))
  return { ...message, content } as unknown as LanguageModelV4Message
}

function olderPart(part: Part, version: 'v2' | 'v3'): Part {
  if (part.type === 'file') return { ...part, data: bare(part.data) }
  const { type, value } = (part.output ?? {}) as { type?: unknown; value?: readonly Part[] }
  if (part.type !== 'tool-result' || type !== 'content' || value === undefined) return part
  return { ...part, output: { type, value: value.map((item) => olderItem(item, version)) } }
}

function olderItem(item: Part, version: 'v2' | 'v3'): Part {
  if (item.type !== 'file') return item
  const data = bare(item.data)
  const type = version === 'v2' ? 'media' : 'file-data'
  return { ...item, type, data: data instanceof Uint8Array ? base64Of(data) : data }
}

function bare(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'data' in data ? data.data : data
}
