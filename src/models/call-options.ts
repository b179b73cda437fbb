import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
} from '@ai-sdk/provider'
import type { DriverRequest, ProviderData, ToolSpecification } from '../core/driver.ts'
import type { ProviderNames } from '../core/lint/provider-names.ts'
import { sentSchema } from '../core/lint/sent-schema.ts'
import { toPrompt } from './prompt.ts'
import { withoutBigints } from './provider-data.ts'
import { responseFormat } from './response-format.ts'

type InputSchema = LanguageModelV4FunctionTool['inputSchema']
type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

/** What a request is sent with. */
export interface Sending {
  /** The provider's name. */
  readonly at: string
  readonly providerOptions: ProviderData | undefined
  readonly signal: AbortSignal
  readonly names: ProviderNames
  /** Whether strict mode is switched off in words, since the provider switches it on where nothing is said. */
  readonly saysNotStrict: boolean
}

/** A request as the AI SDK's provider interface takes it. Throws INVALID_ARGUMENT as `toPrompt` does. */
export function toCallOptions(request: DriverRequest, sending: Sending): LanguageModelV4CallOptions {
  const { outputTokensMax, temperature } = request
  const { providerOptions, signal, names, at } = sending
  const { toModel } = names
  const options: LanguageModelV4CallOptions = {
    prompt: toPrompt(request.messages, { toModel, at, files: request.files }),
    abortSignal: signal,
  }
  const tools = [...request.tools.map((tool) => toFunctionTool(tool, sending)), ...providerToolsOf(request)]
  // Some providers refuse an empty list of tools.
  if (tools.length > 0) options.tools = tools
  const format = responseFormat(request)
  if (format !== undefined) options.responseFormat = format
  if (outputTokensMax !== undefined) options.maxOutputTokens = outputTokensMax
  if (temperature !== undefined) options.temperature = temperature
  if (providerOptions !== undefined) options.providerOptions = providerOptions as ProviderOptions
  return options
}

function providerToolsOf({ providerTools = [] }: DriverRequest): LanguageModelV4ProviderTool[] {
  return providerTools.map(({ id, name, args }) => ({
    type: 'provider',
    id,
    name,
    args: withoutBigints(args) as LanguageModelV4ProviderTool['args'],
  }))
}

function toFunctionTool(
  { name, description, jsonSchema }: ToolSpecification,
  { names, saysNotStrict }: Sending,
): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name: names.toModel(name),
    description,
    inputSchema: inputSchemaOf(jsonSchema),
    ...(saysNotStrict && { strict: false }),
  }
}

/** By the schema, which a tool keeps frozen for life: to copy it for every step costs more than the rest of a request. */
const keptSchemas = new WeakMap<ToolSpecification['jsonSchema'], InputSchema>()

function inputSchemaOf(jsonSchema: ToolSpecification['jsonSchema']): InputSchema {
  const known = keptSchemas.get(jsonSchema)
  if (known !== undefined) return known
  const schema = withoutBigints(sentSchema(jsonSchema)) as InputSchema
  if (Object.isFrozen(jsonSchema)) keptSchemas.set(jsonSchema, schema)
  return schema
}
