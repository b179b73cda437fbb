import type { StepResult } from '../../agent/foreign-step.ts'
import { modelText } from '../../core/call.ts'
import { scriptedModel } from '../../models/scripted.ts'
import type { ApprovalOptions } from '../approvals/choose-approvals.ts'
import { type CommandOptions, placeOf } from '../command-options.ts'
import { drivenAgent } from '../driven-agent.ts'
import { jsonArgument } from '../json-argument.ts'
import { nextCommands } from '../next-steps.ts'
import { withStore } from '../open-store.ts'
import { inertText } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'

export type CallOptions = CommandOptions & ApprovalOptions & { readonly args: string }

/** What stands in the log where a run's model stands, for calls that a person made. */
export const callModelName = 'command-line/call'
