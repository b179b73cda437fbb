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

const textPart = closed({ type: oneOf('text'), text, prompt_cache_breakpoint: anything }, ['type', 'text'])

const userPart = tagged('type', { text: textPart, image_url: object, input_audio: object, file: object })

const call = tagged('type', {
  function: closed(
    {
      id: filledText,
      type: text,
      function: closed({ name: toolName, arguments: text }, ['name', 'arguments']),
    },
    ['id', 'type', 'function'],
  ),
  custom: closed({ id: filledText, type: text, custom: object }, ['id', 'type', 'custom']),
})

const instruction = closed({ role: text, content: either(text, listOf(textPart, 1)), name: text }, [
  'role',
  'content',
])

const message = tagged('role', {
  developer: instruction,
  system: instruction,
  user: closed({ role: text, content: either(text, listOf(userPart, 1)), name: text }, ['role', 'content']),
  assistant: closed(
    {
      role: text,
      content: orNull(either(text, listOf(tagged('type', { text: textPart, refusal: object }), 1))),
      refusal: orNull(text),
      name: text,
      audio: orNull(object),
      annotations: anything,
      tool_calls: listOf(call, 1),
    },
    ['role'],
  ),
  tool: closed({ role: text, content: either(text, listOf(textPart, 1)), tool_call_id: filledText }, [
    'role',
    'content',
    'tool_call_id',
  ]),
})

const tool = tagged('type', {
  function: closed(
    {
      type: text,
      function: closed(
        { name: toolName, description: text, parameters: argumentsSchema, strict: orNull(flag) },
        ['name'],
      ),
    },
    ['type', 'function'],
  ),
  custom: closed({ type: text, custom: object }, ['type', 'custom']),
})

const settings = {
  audio: anything,
  frequency_penalty: orNull({ ...number, minimum: -2, maximum: 2 }),
  logit_bias: orNull(object),
  logprobs: orNull(flag),
  max_completion_tokens: orNull({ ...whole, minimum: 1 }),
  max_tokens: orNull({ ...whole, minimum: 1 }),
  metadata: orNull(object),
  modalities: anything,
  moderation: anything,
  n: orNull(oneOf(1)),
  parallel_tool_calls: flag,
  prediction: anything,
  presence_penalty: orNull({ ...number, minimum: -2, maximum: 2 }),
  prompt_cache_key: text,
  prompt_cache_options: anything,
  prompt_cache_retention: anything,
  reasoning_effort: orNull(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh')),
  response_format: object,
  safety_identifier: text,
  seed: orNull(whole),
  service_tier: orNull(text),
  stop: orNull(either(text, { type: 'array', items: text, maxItems: 4 })),
  store: orNull(flag),
  stream: orNull(flag),
  stream_options: orNull(closed({ include_usage: flag, include_obfuscation: flag }, [])),
  temperature: orNull({ ...number, minimum: 0, maximum: 2 }),
  tool_choice: either(oneOf('none', 'auto', 'required'), object),
  tools: listOf(tool, 1),
  top_logprobs: orNull({ ...whole, minimum: 0, maximum: 20 }),
  top_p: orNull({ ...number, minimum: 0, maximum: 1 }),
  user: text,
  verbosity: orNull(oneOf('low', 'medium', 'high')),
  web_search_options: anything,
}

/**
 * A request of `POST /v1/chat/completions` as OpenAI's API reference has it. What a loop over tools is made of is checked
 * in full, other content by its kind. Left out: `functions`, which `tools` replaced, and more than one choice.
 */
export const chatRequest = validator(
  closed({ ...settings, model: filledText, messages: listOf(message, 1) }, ['model', 'messages']),
)
