import { toolClasses } from '../core/policy/class.ts'
import { toolModes } from '../core/policy/mode.ts'
import type { JsonSchema } from '../core/schema/json-schema.ts'

const text = { type: 'string', minLength: 1 }
const texts = { type: 'array', items: text }
const toolClass = { enum: [...toolClasses] }
const count = { type: 'integer', minimum: 1 }

function closed(
  properties: Record<string, unknown>,
  required: readonly string[] = [],
): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false }
}

const rule = closed(
  {
    id: text,
    tool: text,
    when: true,
    verdict: { enum: ['ask', 'deny'] },
    reason: text,
    private: { type: 'boolean' },
    remember: { enum: ['none', 'session', 'rule'] },
    forced: { type: 'boolean' },
  },
  ['id', 'tool', 'verdict', 'reason'],
)

const killed = closed(
  { kind: { enum: ['tool', 'server', 'principal'] }, name: text, reason: { type: 'string' } },
  ['kind', 'name'],
)

const grant = closed(
  {
    subject: text,
    tools: texts,
    classMax: toolClass,
    expiresAt: { type: 'number' },
    audience: text,
    approve: texts,
  },
  ['subject'],
)

/**
 * The options of an agent that are plain data. They are closed: a policy with a misspelt key would otherwise
 * restrict nothing, and nobody would notice.
 */
export const optionSchema = closed(
  {
    name: { type: 'string', pattern: '\\S' },
    instructions: { type: 'string' },
    defaultToolMode: { enum: [...toolModes] },
    contract: closed({ tools: { type: 'object', additionalProperties: closed({ toolClass }) } }, ['tools']),
    profile: closed({ modeMax: { enum: [...toolModes] }, tools: texts }),
    rules: { type: 'array', items: rule },
    killed: { type: 'array', items: killed },
    grant,
    history: closed({ entriesMax: count, charactersMax: count }),
    results: closed({ callTokensMax: count, runTokensMax: count }),
    stepsMax: count,
    callsMax: count,
    modelAttempts: count,
    outputAttempts: count,
    askExpiryMs: count,
    answerWaitMs: count,
    timeoutMs: count,
    idle: closed({ timeoutMs: count, whileAsking: { enum: ['pause', 'continue'] } }, ['timeoutMs']),
    state: closed({ initial: { type: 'object' }, private: texts }),
    onUncertain: { enum: ['tell', 'pause', 'fail'] },
  },
  ['name'],
) as JsonSchema
