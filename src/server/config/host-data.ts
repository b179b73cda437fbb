import { wireBounds } from '../../protocol/bounds.ts'

const count = { type: 'integer', minimum: 1 } as const
/** Whoever was cut off from the end of a run has time to come back for it. */
const retention = { type: 'integer', minimum: 60_000 } as const
const flag = { type: 'boolean' } as const

/** Members of a host's options that are plain data, as `createHost` and a configuration file take them. */
export const hostDataProperties = {
  applicationTools: {
    type: 'object',
    properties: { enabled: flag, requireApproval: flag, maxPending: count, maxPendingPerSubject: count },
    required: ['enabled'],
    additionalProperties: false,
  },
  approvals: {
    type: 'object',
    properties: { interactive: flag, allowIdlePause: flag, maxPending: count },
    required: ['interactive'],
    additionalProperties: false,
  },
  sessions: flag,
  limits: {
    type: 'object',
    properties: {
      stepsMax: { type: 'integer', minimum: 1, maximum: wireBounds.stepsMax },
      runTokensMax: count,
      idleTimeoutMs: count,
      concurrentRuns: count,
      concurrentRunsPerSubject: count,
      queue: {
        type: 'object',
        properties: { total: count, perSubject: count },
        required: ['total', 'perSubject'],
        additionalProperties: false,
      },
      runRetentionMs: retention,
      sessionRetentionMs: retention,
      streams: count,
      streamsPerSubject: count,
    },
    additionalProperties: false,
  },
} as const
