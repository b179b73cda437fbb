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

const toolName = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' }
const callId = { type: 'string', minLength: 1, maxLength: 64 }
const status = orNull(oneOf('in_progress', 'completed', 'incomplete'))

const inputPart = tagged('type', {
  input_text: closed({ type: text, text, prompt_cache_breakpoint: anything }, ['type', 'text']),
  input_image: object,
  input_file: object,
  input_audio: object,
})

const outputPart = tagged('type', {
  output_text: closed({ type: text, text, annotations: listOf(object), logprobs: anything }, [
    'type',
    'text',
  ]),
  refusal: object,
})

const message = closed(
  {
    type: oneOf('message'),
    role: oneOf('user', 'assistant', 'system', 'developer'),
    content: either(text, listOf(either(inputPart, outputPart), 1)),
    phase: anything,
    id: text,
    status,
  },
  ['role', 'content'],
)

/** Items of tools that run at the provider, or that it defines. */
const itemsOfProviderTools = Object.fromEntries(
  [
    'apply_patch_call',
    'apply_patch_call_output',
    'code_interpreter_call',
    'compaction',
    'computer_call',
    'computer_call_output',
    'custom_tool_call',
    'custom_tool_call_output',
    'file_search_call',
    'image_generation_call',
    'local_shell_call',
    'local_shell_call_output',
    'mcp_approval_request',
    'mcp_approval_response',
    'mcp_call',
    'mcp_list_tools',
    'shell_call',
    'shell_call_output',
    'tool_search_call',
    'tool_search_output',
    'web_search_call',
  ].map((type) => [type, object]),
)

const typedItem = tagged('type', {
  message,
  function_call: closed(
    {
      type: text,
      id: filledText,
      call_id: callId,
      name: toolName,
      namespace: text,
      arguments: text,
      status,
      caller: anything,
    },
    ['type', 'call_id', 'name', 'arguments'],
  ),
  function_call_output: closed(
    {
      type: text,
      id: orNull(text),
      call_id: callId,
      output: either(text, listOf(inputPart)),
      status,
      caller: anything,
    },
    ['type', 'call_id', 'output'],
  ),
  reasoning: closed(
    {
      type: text,
      id: text,
      summary: listOf(closed({ type: oneOf('summary_text'), text }, ['type', 'text'])),
      content: anything,
      encrypted_content: orNull(text),
      status,
    },
    ['type', 'summary'],
  ),
  item_reference: closed({ type: text, id: filledText }, ['type', 'id']),
  ...itemsOfProviderTools,
})

/** A message may leave its type out. */
const item = {
  if: { type: 'object', required: ['type'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: typedItem,
  else: message,
}

const functionTool = closed(
  {
    type: text,
    name: toolName,
    description: orNull(text),
    parameters: orNull(argumentsSchema),
    strict: orNull(flag),
    allowed_callers: anything,
    defer_loading: flag,
    output_schema: anything,
  },
  ['type', 'name', 'parameters'],
)

/** A tool of the provider's own is checked by its having a type. */
const tool = {
  type: 'object',
  required: ['type'],
  if: { properties: { type: { const: 'function' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: functionTool,
  else: { properties: { type: text } },
}

const settings = {
  background: orNull(oneOf(false)),
  context_management: anything,
  include: orNull(listOf(text)),
  instructions: orNull(text),
  max_output_tokens: orNull({ ...whole, minimum: 16 }),
  max_tool_calls: orNull(whole),
  metadata: orNull(object),
  moderation: anything,
  parallel_tool_calls: orNull(flag),
  previous_response_id: orNull(text),
  prompt: anything,
  prompt_cache_key: orNull(text),
  prompt_cache_options: anything,
  prompt_cache_retention: anything,
  reasoning: orNull(object),
  safety_identifier: orNull(text),
  service_tier: orNull(text),
  store: orNull(flag),
  stream: orNull(flag),
  stream_options: orNull(closed({ include_obfuscation: flag }, [])),
  temperature: orNull({ ...number, minimum: 0, maximum: 2 }),
  text: object,
  tool_choice: either(oneOf('none', 'auto', 'required'), object),
  tools: listOf(tool),
  top_logprobs: orNull(whole),
  top_p: orNull({ ...number, minimum: 0, maximum: 1 }),
  truncation: orNull(oneOf('auto', 'disabled')),
  user: text,
}

/**
 * A request of `POST /v1/responses` as OpenAI's API reference has it. What a loop over tools is made of is checked in full,
 * other content by its kind. Left out: conversations kept at the provider, and answers in the background.
 */
export const responsesRequest = validator(
  closed({ ...settings, model: filledText, input: either(filledText, listOf(item, 1)) }, ['model', 'input']),
)
