import { wireBounds } from '../../protocol/bounds.ts'
import type { Access } from '../../protocol/host/access.ts'
import { type HostFeature, hostFeatures, type ProtocolInfo } from '../../protocol/host/protocol-info.ts'
import { protocolVersion } from '../../protocol/version.ts'
import type { HostOptions } from '../host-options.ts'
import { streamBounds } from '../runs/open-streams.ts'
import type { Who } from '../who.ts'

/** What a host does with these options, how much of it, and what the caller may do. */
export function protocolInfo(options: HostOptions, who: Who): ProtocolInfo {
  return {
    protocol: 'toolpost',
    version: protocolVersion,
    supportedVersions: [protocolVersion],
    features: hostFeatures.filter((feature) => isEnabled(options, feature)),
    limits: { ...wireBounds, ...limitsOf(options) },
    dialects: ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'],
    grants: who.access ?? everything,
  }
}

type Switch = 'applicationTools' | 'approvals' | 'sessions'

/** The features that a host can be without, by what switches them on. */
const switched: Partial<Record<HostFeature, Switch>> = {
  'conversation-sessions': 'sessions',
  'application-tools': 'applicationTools',
  'execution-status': 'applicationTools',
  'execution-stream': 'applicationTools',
  'result-keys': 'applicationTools',
  'interactive-approvals': 'approvals',
  'approval-inbox': 'approvals',
  'edited-arguments': 'approvals',
}

function isEnabled(options: HostOptions, feature: HostFeature): boolean {
  switch (switched[feature]) {
    case 'applicationTools':
      return options.applicationTools?.enabled === true
    case 'approvals':
      return options.approvals?.interactive === true
    case 'sessions':
      return options.sessions !== false
    default:
      return true
  }
}

/** The bounds that the host itself sets; those of what it does not do are left out. */
function limitsOf(options: HostOptions): Readonly<Record<string, number>> {
  const { limits = {}, applicationTools, approvals } = options
  const { stepsMax = wireBounds.stepsMax, idleTimeoutMs, concurrentRuns, concurrentRunsPerSubject } = limits
  const given: Readonly<Record<string, number | undefined>> = {
    stepsMax: Math.min(stepsMax, wireBounds.stepsMax),
    idleTimeoutMs,
    concurrentRunsMax: concurrentRuns ?? 32,
    concurrentRunsPerSubjectMax: concurrentRunsPerSubject ?? 4,
    queuedRunsMax: limits.queue?.total ?? 0,
    queuedRunsPerSubjectMax: limits.queue?.perSubject ?? 0,
    runRetentionMs: limits.runRetentionMs,
    sessionRetentionMs: options.sessions === false ? undefined : limits.sessionRetentionMs,
    ...streamBounds(limits),
    ...(applicationTools?.enabled === true
      ? {
          pendingExecutionsMax: applicationTools.maxPending ?? 1_000,
          pendingExecutionsPerSubjectMax: applicationTools.maxPendingPerSubject,
        }
      : {}),
    ...(approvals?.interactive === true ? { pendingApprovalsMax: approvals.maxPending ?? 1_000 } : {}),
  }
  const said = Object.entries(given).filter((entry): entry is [string, number] => entry[1] !== undefined)
  return Object.fromEntries(said)
}

/** What a caller without an `Access` may do: the host is his own. */
const everything: Access = {
  providers: ['*'],
  tools: ['*'],
  applicationTools: [{ name: '*', requiresApproval: false }],
  approveTools: ['*'],
  sessions: ['create', 'read', 'continue', 'delete'],
  reviewerGroups: [],
  administration: false,
}
