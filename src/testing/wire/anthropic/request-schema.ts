import {
  anything,
  argumentsSchema,
  closed,
  either,
  filledText,
  flag,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  tagged,
  text,
  validator,
  whole,
} from '../schema-words.ts'

const toolName = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,128}$' }
const callId = { type: 'string', pattern: '^[a-zA-Z0-9_-]+$' }
const cacheControl = orNull(object)

const textBlock = closed({ type: text, text: filledText, cache_control: cacheControl, citations: anything }, [
  'type',
  'text',
])

const resultBlock = tagged('type', {
  text: closed({ type: text, text, cache_control: cacheControl, citations: anything }, ['type', 'text']),
  image: object,
  document: object,
  search_result: object,
  tool_reference: object,
})

const userBlock = tagged('type', {
  text: textBlock,
  image: object,
  document: object,
  search_result: object,
  container_upload: object,
  tool_result: closed(
    {
      type: text,
      tool_use_id: callId,
      content: either(text, listOf(resultBlock)),
      is_error: flag,
      toolset_name: orNull(text),
      cache_control: cacheControl,
    },
    ['type', 'tool_use_id'],
  ),
})

const assistantBlock = tagged('type', {
  text: textBlock,
  thinking: closed({ type: text, thinking: text, signature: text }, ['type', 'thinking', 'signature']),
  redacted_thinking: closed({ type: text, data: text }, ['type', 'data']),
  tool_use: closed(
    {
      type: text,
      id: callId,
      name: toolName,
      input: object,
      caller: object,
      toolset_name: orNull(text),
      cache_control: cacheControl,
    },
    ['type', 'id', 'name', 'input'],
  ),
  server_tool_use: object,
  web_search_tool_result: object,
  web_fetch_tool_result: object,
  code_execution_tool_result: object,
  bash_code_execution_tool_result: object,
  text_editor_code_execution_tool_result: object,
  tool_search_tool_result: object,
})

const message = tagged('role', {
  user: closed({ role: text, content: either(text, listOf(userBlock)) }, ['role', 'content']),
  assistant: closed({ role: text, content: either(text, listOf(assistantBlock)) }, ['role', 'content']),
})

const ownTool = closed(
  {
    type: orNull(oneOf('custom')),
    name: toolName,
    description: text,
    input_schema: argumentsSchema,
    cache_control: cacheControl,
    allowed_callers: anything,
    defer_loading: flag,
    eager_input_streaming: orNull(flag),
    input_examples: listOf(object),
    strict: flag,
  },
  ['name', 'input_schema'],
)

/** A tool of the provider's own is told by its dated type. */
const providerTool = {
  type: 'object',
  properties: { type: { type: 'string', pattern: '_\\d{8}$' }, name: text },
  required: ['type', 'name'],
}

const tool = {
  if: { type: 'object', required: ['type'], properties: { type: { type: 'string', pattern: '_\\d{8}$' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: providerTool,
  else: ownTool,
}

const display = orNull(oneOf('summarized', 'omitted'))

const thinking = tagged('type', {
  enabled: closed({ type: text, budget_tokens: { ...whole, minimum: 1024 }, display }, [
    'type',
    'budget_tokens',
  ]),
  adaptive: closed({ type: text, display }, ['type']),
  between_tools: closed({ type: text }, ['type']),
  disabled: closed({ type: text }, ['type']),
})

const choice = { type: text, disable_parallel_tool_use: flag }

const settings = {
  cache_control: cacheControl,
  container: anything,
  context_management: anything,
  diagnostics: anything,
  inference_geo: orNull(text),
  mcp_servers: listOf(object),
  metadata: closed({ user_id: orNull(text) }, []),
  output_config: object,
  service_tier: oneOf('auto', 'standard_only'),
  speed: orNull(oneOf('standard', 'fast')),
  stop_sequences: listOf(text),
  stream: flag,
  system: either(text, listOf(textBlock)),
  temperature: { ...number, minimum: 0, maximum: 1 },
  thinking,
  tool_choice: tagged('type', {
    auto: closed(choice, ['type']),
    any: closed(choice, ['type']),
    none: closed({ type: text }, ['type']),
    tool: closed({ ...choice, name: toolName }, ['type', 'name']),
  }),
  tools: listOf(tool),
  top_k: { ...whole, minimum: 0 },
  top_p: { ...number, minimum: 0, maximum: 1 },
  user_profile_id: text,
  workspace_id: text,
}

/**
 * A request of `POST /v1/messages` as Anthropic's API reference has it. What a loop over tools is made of is checked in
 * full, other content by its kind. Left out: system messages between the others.
 */
export const messagesRequest = validator(
  closed(
    { ...settings, model: filledText, max_tokens: { ...whole, minimum: 1 }, messages: listOf(message, 1) },
    ['model', 'max_tokens', 'messages'],
  ),
)
