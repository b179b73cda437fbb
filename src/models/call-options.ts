import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { DriverRequest, ProviderData, ToolSpecification } from '../core/driver.ts'
import { toPrompt } from './prompt.ts'
import { withoutBigints } from './provider-data.ts'

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>

/** A request as the AI SDK's provider interface takes it. Throws INVALID_ARGUMENT as `toPrompt` does. */
export function toCallOptions(
  request: DriverRequest,
  providerOptions: ProviderData | undefined,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { tools, outputTokensMax, temperature } = request
  return {
    prompt: toPrompt(request.messages),
    // Some providers refuse an empty list of tools.
    ...(tools.length > 0 && { tools: tools.map(toFunctionTool) }),
    ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions !== undefined && { providerOptions: providerOptions as ProviderOptions }),
    abortSignal: signal,
  }
}

function toFunctionTool({ name, description, jsonSchema }: ToolSpecification): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name,
    description,
    inputSchema: withoutBigints(jsonSchema) as LanguageModelV4FunctionTool['inputSchema'],
  }
}
