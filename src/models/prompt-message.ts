import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { AnsweredPart, ModelMessage, ProviderData, ToolResultPart } from '../core/driver.ts'
import type { JsonValue } from '../core/json/value.ts'
import { fileBytes, type SentFiles, sentFile } from './sent-file.ts'

type AnswerPart =
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart
  | LanguageModelV4FilePart

/** Whom a prompt is for. */
export interface PromptFor {
  /** The name that the model knows a tool by. */
  readonly toModel: (name: string) => string
  /** The provider's name: what another provider's own tools did is not for it. */
  readonly at: string
  readonly files: SentFiles | undefined
}

/** What the messages of one turn have in common. */
export interface Conversion extends PromptFor {
  /** The provider's data of the calls that were made so far, by id. */
  readonly callData: Map<string, ProviderData>
}

/** One message as the provider interface takes it; undefined for an answer of which nothing is left to send. */
export function toMessage(message: ModelMessage, conversion: Conversion): LanguageModelV4Message | undefined {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user': {
      const { text, files = [] } = message
      const content = files.map((file) => sentFile(file, conversion.files))
      // Most models read best what a question is about before the question.
      return {
        role: 'user',
        content: text === '' && files.length > 0 ? content : [...content, { type: 'text', text }],
      }
    }
    case 'assistant': {
      const content = message.parts.flatMap((part) => toAnswerParts(part, conversion))
      // Providers refuse an answer without content.
      return content.length === 0 ? undefined : { role: 'assistant', content }
    }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => toResultPart(result, conversion)) }
  }
}

function toAnswerParts(part: AnsweredPart, conversion: Conversion): AnswerPart[] {
  const returned = providerOptions(part.provider)
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.text === '' && part.provider === undefined
        ? []
        : [{ type: part.kind, text: part.text, ...returned }]
    case 'call':
      return [toCallPart(part, conversion)]
    case 'provider-call':
      return part.at === conversion.at
        ? [
            {
              ...callOf(part.modelCallId, part.name, part.argumentsText),
              providerExecuted: true,
              ...returned,
            },
          ]
        : []
    case 'provider-result': {
      const { at, modelCallId: toolCallId, name: toolName, value, isError } = part
      if (at !== conversion.at) return []
      const output = { type: isError ? ('error-json' as const) : ('json' as const), value: asSent(value) }
      return [{ type: 'tool-result', toolCallId, toolName, output, ...returned }]
    }
    case 'file':
    case 'made-file': {
      const { mediaType } = part.kind === 'file' ? part.file : part
      const data = part.kind === 'file' ? fileBytes(part.file, conversion.files) : part.bytes
      return data !== undefined && takesAnsweredFiles.test(conversion.at)
        ? [{ type: 'file', mediaType, data: { type: 'data', data }, ...returned }]
        : []
    }
    default:
      return []
  }
}

/** The others keep what they made themselves, or take no file in an answer. */
const takesAnsweredFiles = /^google\b/

function toCallPart(
  part: Extract<AnsweredPart, { kind: 'call' }>,
  { callData, toModel }: Conversion,
): LanguageModelV4ToolCallPart {
  if (part.provider !== undefined) callData.set(part.modelCallId, part.provider)
  const call = callOf(part.modelCallId, toModel(part.name), part.argumentsText)
  return { ...call, ...providerOptions(part.provider) }
}

function callOf(toolCallId: string, toolName: string, argumentsText: string): LanguageModelV4ToolCallPart {
  return { type: 'tool-call', toolCallId, toolName, input: toInput(argumentsText) }
}

/** A result carries its call's data too: a provider that split one wrapped call finds its siblings by it. */
function toResultPart(result: ToolResultPart, conversion: Conversion): LanguageModelV4ToolResultPart {
  const { callData, toModel } = conversion
  return {
    type: 'tool-result',
    toolCallId: result.modelCallId,
    toolName: toModel(result.name),
    output: toOutput(result, conversion),
    ...providerOptions(callData.get(result.modelCallId)),
  }
}

type Output = LanguageModelV4ToolResultPart['output']

/** Providers whose interface has room for files in a result; to the others they are named. */
const takesResultFiles = /^(openai\.responses|anthropic|google)\b/

function toOutput({ text, isError, files = [] }: ToolResultPart, { at, files: bytes }: Conversion): Output {
  if (files.length === 0) return { type: isError ? 'error-text' : 'text', value: text }
  if (takesResultFiles.test(at)) {
    const sent = files.map((file) => sentFile(file, bytes))
    return { type: 'content', value: text === '' ? sent : [{ type: 'text', text }, ...sent] }
  }
  const named = files.map(({ name = 'a file', mediaType }) => `${name} (${mediaType})`).join(', ')
  return {
    type: 'text',
    value: `${text}\n\n[Beside it, and not to be shown to this model: ${named}]`.trimStart(),
  }
}

/** Providers demand an object. Where the model wrote none, the call's result tells it what was wrong. */
function toInput(argumentsText: string): object {
  try {
    const input: unknown = JSON.parse(argumentsText)
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
  } catch {
    return {}
  }
}

function providerOptions(data: ProviderData | undefined): { providerOptions?: MutableProviderData } {
  return data === undefined ? {} : { providerOptions: data as MutableProviderData }
}

/** The provider interface declares its data as writable; no provider writes to it. */
type MutableProviderData = NonNullable<LanguageModelV4TextPart['providerOptions']>

type SentJson = Extract<LanguageModelV4ToolResultPart['output'], { type: 'json' }>['value']

/** Results are kept without integers that JSON.stringify cannot write. */
function asSent(value: JsonValue): SentJson {
  return value as SentJson
}
