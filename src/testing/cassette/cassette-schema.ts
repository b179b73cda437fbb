import { toolClasses } from '../../core/policy/class.ts'
import { toolModes } from '../../core/policy/mode.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { cassetteFormats } from './cassette.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const list = { type: 'array' }
const verdict = { enum: ['run', 'ask', 'deny'] }

function closed(required: Record<string, unknown>, optional: Record<string, unknown> = {}): JsonSchema {
  const properties = { ...required, ...optional }
  return {
    type: 'object',
    properties,
    required: Object.keys(required),
    additionalProperties: false,
  } as JsonSchema
}

const actor = closed({ id: text, method: text })

const answer = closed(
  { approved: { type: 'boolean' }, scope: { enum: ['once', 'session'] }, by: actor },
  { wished: { const: 'session' }, reason: text, category: text, editedJson: text, inputJson: text },
)

const completed = closed(
  { status: { const: 'completed' }, kind: { enum: ['text', 'json', 'empty'] }, text },
  {
    large: closed({ handle: text, bytes: count, shown: text }),
    control: { enum: ['output', 'end'] },
    valueJson: text,
  },
)

const failed = closed(
  { status: { const: 'failed' }, code: text, message: text, effect: { enum: ['none', 'uncertain'] } },
  { timedOut: { const: true } },
)

const refused = closed({ status: { const: 'refused' }, code: text, message: text }, { category: text })
const cancelled = closed({ status: { const: 'cancelled' }, message: text })
const outcome = { anyOf: [completed, failed, refused, cancelled] }

const call = closed(
  {
    id: text,
    name: text,
    argumentsText: text,
    asks: { ...list, items: closed({ reason: text }, { input: { const: true }, answer }) },
  },
  {
    argsJson: text,
    digest: text,
    version: text,
    decision: closed({ verdict: { enum: ['run', 'ask', 'deny', 'refused'] }, reason: text }),
    outcome,
    late: outcome,
    // Each is read as a cassette of its own.
    children: {
      ...list,
      items: closed(
        { agent: text, kind: { enum: ['run', 'spawn', 'dispatch'] } },
        { cassette: { type: 'object' } },
      ),
    },
    found: closed({ found: { enum: ['completed', 'failed', 'not_run'] }, by: actor }, { note: text }),
  },
)

const said = closed({ kind: { enum: ['text', 'reasoning'] }, text }, { providerJson: text })
const called = closed({ kind: { const: 'call' }, modelCallId: text }, { providerJson: text })
const whole = closed({
  kind: { enum: ['provider-call', 'provider-result', 'source', 'file'] },
  partJson: text,
})
const tokens = { type: 'number' }

/** One step; it is checked by itself, so that the longest cassette is checked in bounded pieces. */
export const stepSchema: JsonSchema = closed(
  {
    parts: { ...list, items: { anyOf: [said, called, whole] } },
    finish: { enum: ['stop', 'calls', 'length', 'filter', 'error', 'other'] },
    calls: { ...list, items: call },
  },
  {
    usage: closed(
      {},
      { inputTokens: tokens, outputTokens: tokens, cachedInputTokens: tokens, reasoningTokens: tokens },
    ),
    by: { enum: ['hook', 'handler'] },
    offered: {
      ...list,
      items: closed({ name: text, verdict, toolClass: { enum: [...toolClasses] } }, { provider: text }),
    },
  },
)

const endings = [
  'completed',
  'failed',
  'cancelled',
  'step_limit',
  'call_limit',
  'cut_short',
  'uncertain',
  'refused',
]

/** One run without what is in its steps. */
export const runSchema: JsonSchema = closed(
  { id: text, at: count, model: text, steps: list },
  { input: text, filesJson: text, ended: closed({ status: { enum: endings }, text }, { outputJson: text }) },
)

/** A cassette without what is in its runs and its order. */
export const headSchema: JsonSchema = closed(
  {
    format: { enum: [...cassetteFormats] },
    agent: text,
    session: { ...text, minLength: 1 },
    subject: text,
    tools: { ...list, items: closed({ name: text, version: text }) },
    runs: list,
    order: list,
  },
  { mode: { enum: [...toolModes] } },
)
