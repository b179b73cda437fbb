import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { DriverRequest, ProviderData, ToolSpecification } from '../core/driver.ts'
import type { ProviderNames } from '../core/lint/provider-names.ts'
import { sentSchema } from '../core/lint/sent-schema.ts'
import { toPrompt } from './prompt.ts'
import { withoutBigints } from './provider-data.ts'

type InputSchema = LanguageModelV4FunctionTool['inputSchema']
type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

/** What a request is sent with. */
export interface Sending {
  readonly providerOptions: ProviderData | undefined
  readonly signal: AbortSignal
  readonly names: ProviderNames
  /** Whether strict mode is switched off in words, since the provider switches it on where nothing is said. */
  readonly saysNotStrict: boolean
}

/** A request as the AI SDK's provider interface takes it. Throws INVALID_ARGUMENT as `toPrompt` does. */
export function toCallOptions(request: DriverRequest, sending: Sending): LanguageModelV4CallOptions {
  const { tools, outputTokensMax, temperature } = request
  const { providerOptions, signal, names } = sending
  return {
    prompt: toPrompt(request.messages, names.toModel),
    // Some providers refuse an empty list of tools.
    ...(tools.length > 0 && { tools: tools.map((tool) => toFunctionTool(tool, sending)) }),
    ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions !== undefined && { providerOptions: providerOptions as ProviderOptions }),
    abortSignal: signal,
  }
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
