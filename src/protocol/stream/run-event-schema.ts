import { approvalSchema } from '../approvals/approval.ts'
import { approvalResolutionSchema } from '../approvals/approval-resolution.ts'
import { type Body, defineBody } from '../body.ts'
import { errorDetailsSchema } from '../error-body.ts'
import { runResultSchema } from '../run/run-result.ts'
import { usageSchema } from '../run/usage.ts'
import {
  countSchema,
  idSchema,
  modelNameSchema,
  providerNameSchema,
  timestampSchema,
} from '../schema-words.ts'
import { toolCallSchema } from '../tool-call.ts'
import { toolExecutionSchema } from '../tool-executions/tool-execution.ts'
import type { RunEvent } from './run-event.ts'

function eventSchema<
  const Type extends string,
  const Properties extends object,
  const Required extends readonly (keyof Properties)[],
>(type: Type, properties: Properties, required: Required) {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      runId: idSchema,
      sequence: countSchema(1),
      timestamp: timestampSchema,
      optional: { type: 'boolean' },
      ...properties,
    },
    required: ['type', 'runId', 'sequence', 'timestamp', ...required],
  } as const
}

/** What of an event is read before its type is known. */
export const eventEnvelopeSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', minLength: 1 },
    runId: idSchema,
    sequence: countSchema(1),
    timestamp: timestampSchema,
    optional: { type: 'boolean' },
  },
  required: ['type', 'runId', 'sequence', 'timestamp'],
} as const

/** The schema of each event, by its type. */
export const runEventSchemas = {
  'run.started': eventSchema('run.started', { provider: providerNameSchema, model: modelNameSchema }, [
    'provider',
    'model',
  ]),
  'step.started': eventSchema('step.started', { step: countSchema(1) }, ['step']),
  'text.delta': eventSchema('text.delta', { text: { type: 'string' } }, ['text']),
  'run.progress': eventSchema(
    'run.progress',
    {
      phase: { enum: ['model', 'tool', 'context'] },
      callId: idSchema,
      message: { type: 'string' },
      fraction: { type: 'number', minimum: 0, maximum: 1 },
      output: {},
    },
    ['phase'],
  ),
  'tool.called': eventSchema('tool.called', { call: toolCallSchema }, ['call']),
  'approval.requested': eventSchema('approval.requested', { approval: approvalSchema }, ['approval']),
  'approval.resolved': eventSchema('approval.resolved', { resolution: approvalResolutionSchema }, [
    'resolution',
  ]),
  'tool.execution.requested': eventSchema('tool.execution.requested', { execution: toolExecutionSchema }, [
    'execution',
  ]),
  'tool.completed': eventSchema('tool.completed', { callId: idSchema, output: {} }, ['callId', 'output']),
  'tool.failed': eventSchema(
    'tool.failed',
    {
      callId: idSchema,
      name: { type: 'string' },
      code: { type: 'string' },
      message: { type: 'string' },
      outcome: { const: 'uncertain' },
    },
    ['callId', 'name', 'code', 'message'],
  ),
  'usage.reported': eventSchema('usage.reported', { step: countSchema(1), usage: usageSchema }, [
    'step',
    'usage',
  ]),
  'run.completed': eventSchema('run.completed', { result: runResultSchema }, ['result']),
  'run.failed': eventSchema('run.failed', { error: errorDetailsSchema }, ['error']),
  'run.cancelled': eventSchema('run.cancelled', { error: errorDetailsSchema }, ['error']),
} as const

/** The names of the events that are known. */
export type RunEventType = keyof typeof runEventSchemas

/** `run.started` as the name of a schema: `RunStartedEvent`. */
function bodyName(type: string): string {
  const words = type.split('.').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Event`
}

function eventBody<Type extends RunEventType>(type: Type): Body<Extract<RunEvent, { type: Type }>> {
  return defineBody(bodyName(type), runEventSchemas[type])
}

/** The body of each event, by its type. */
export const runEventBodies: { readonly [Type in RunEventType]: Body<Extract<RunEvent, { type: Type }>> } = {
  'run.started': eventBody('run.started'),
  'step.started': eventBody('step.started'),
  'text.delta': eventBody('text.delta'),
  'run.progress': eventBody('run.progress'),
  'tool.called': eventBody('tool.called'),
  'approval.requested': eventBody('approval.requested'),
  'approval.resolved': eventBody('approval.resolved'),
  'tool.execution.requested': eventBody('tool.execution.requested'),
  'tool.completed': eventBody('tool.completed'),
  'tool.failed': eventBody('tool.failed'),
  'usage.reported': eventBody('usage.reported'),
  'run.completed': eventBody('run.completed'),
  'run.failed': eventBody('run.failed'),
  'run.cancelled': eventBody('run.cancelled'),
}

/** Whether an event's type is one that this version knows. */
export function isRunEventType(type: string): type is RunEventType {
  return Object.hasOwn(runEventSchemas, type)
}

export const runEventBody = defineBody<RunEvent>('RunEvent', {
  oneOf: Object.values(runEventSchemas),
  // For readers of the OpenAPI document: which schema belongs to which type.
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.entries(runEventBodies).map(([type, { name }]) => [type, `#/components/schemas/${name}`]),
    ),
  },
})
