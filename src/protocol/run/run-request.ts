import type { JsonObject } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import {
  countSchema,
  idSchema,
  listSchema,
  modelNameSchema,
  objectSchema,
  providerNameSchema,
  setSchema,
  textSchema,
  toolNameSchema,
} from '../schema-words.ts'
import { type ApplicationToolDefinition, applicationToolSchema } from './application-tool.ts'
import { type ApprovalPolicy, approvalPolicySchema } from './approval-policy.ts'

/** One message of what was said before a run. */
export interface HistoryMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** The session that a run goes on with; a `revision` that is not the newest is refused. */
export interface SessionHandle {
  readonly id: string
  readonly revision?: number
}

/** What `POST /v1/runs` takes. */
export interface RunRequest {
  readonly provider: string
  readonly model: string
  readonly input: string
  readonly instructions?: string
  readonly history?: readonly HistoryMessage[]
  readonly session?: SessionHandle
  /** The tools that the model may call: the host's by name, and every declared one. */
  readonly tools?: readonly string[]
  readonly applicationTools?: readonly ApplicationToolDefinition[]
  readonly approvals?: ApprovalPolicy
  /** Capabilities that the provider must have. */
  readonly requiredCapabilities?: readonly string[]
  /** Answers of the model; default 8, never above what the host allows. */
  readonly maxSteps?: number
  /** Tokens of one answer; default 4,096. */
  readonly maxOutputTokens?: number
  /** Milliseconds without a sign of life; 0 or absent = only what the host sets. */
  readonly idleTimeoutMs?: number
  /** JSON Schema of the run's output. */
  readonly outputSchema?: JsonObject
  /** The same key and the same request are one run. */
  readonly idempotencyKey?: string
  readonly metadata?: { readonly [key: string]: string }
  /** When whoever started the run stops listening: end it (default), or keep it going. */
  readonly onDisconnect?: 'cancel' | 'keep'
  /** When a call is refused, denied or fails: tell the model (default), or end the run. */
  readonly onToolFailure?: 'tell' | 'fail'
}

const historyMessageSchema = {
  type: 'object',
  properties: { role: { enum: ['user', 'assistant'] }, content: textSchema(wireBounds.textCharactersMax) },
  required: ['role', 'content'],
  additionalProperties: false,
} as const

const sessionHandleSchema = {
  type: 'object',
  properties: { id: idSchema, revision: countSchema(0) },
  required: ['id'],
  additionalProperties: false,
} as const

const metadataSchema = {
  type: 'object',
  maxProperties: wireBounds.metadataKeysMax,
  propertyNames: { maxLength: wireBounds.metadataKeyCharactersMax },
  additionalProperties: textSchema(wireBounds.metadataValueCharactersMax),
} as const

export const runRequestSchema = {
  type: 'object',
  properties: {
    provider: providerNameSchema,
    model: modelNameSchema,
    input: textSchema(wireBounds.textCharactersMax, 1),
    instructions: textSchema(wireBounds.textCharactersMax),
    history: listSchema(historyMessageSchema, wireBounds.historyMax),
    session: sessionHandleSchema,
    tools: setSchema(toolNameSchema, wireBounds.toolsMax),
    applicationTools: { ...listSchema(applicationToolSchema, wireBounds.toolsMax), minItems: 1 },
    approvals: approvalPolicySchema,
    requiredCapabilities: setSchema(textSchema(80, 1), 32),
    maxSteps: countSchema(1, wireBounds.stepsMax),
    maxOutputTokens: countSchema(1, wireBounds.outputTokensMax),
    idleTimeoutMs: countSchema(0, wireBounds.timerMsMax),
    outputSchema: objectSchema,
    idempotencyKey: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' },
    metadata: metadataSchema,
    onDisconnect: { enum: ['cancel', 'keep'] },
    onToolFailure: { enum: ['tell', 'fail'] },
  },
  required: ['provider', 'model', 'input'],
  additionalProperties: false,
} as const

export const runRequestBody = defineBody<RunRequest>('RunRequest', runRequestSchema)
