import { isToolpostError } from '../../core/error.ts'
import { wasUncertain } from '../../core/run/uncertain.ts'
import { HostError } from '../../protocol/host-error.ts'
import {
  type ToolResult,
  type ToolResultReceipt,
  toolResultBody,
} from '../../protocol/tool-executions/tool-result.ts'
import type { GivenResult } from '../../runtime/redeem.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import { subjectOf, type Who } from '../who.ts'
import { type Execution, executionFor } from './open-execution.ts'
import { ticketError } from './ticket-errors.ts'

/**
 * Takes the one result of an execution, whoever drives its run. The same result under the same `resultKey` gets the same
 * answer again (application-tools-details 2.6 has the order in which a result is looked at).
 *
 * Errors: INVALID_TOOL_EXECUTION, FORBIDDEN and TOOL_EXECUTION_MISMATCH keep the execution; TOOL_OUTPUT_LIMIT and
 * INVALID_TOOL_OUTPUT use it up. TOOL_EXECUTION_NOT_FOUND for what is unknown, over, or none of the caller's; whose it
 * was is told that it came too late and was recorded.
 * TOOL_RESULT_CONFLICT for another result under a key that one was taken by.
 */
export async function completeTool(host: HostParts, body: unknown, who: Who): Promise<ToolResultReceipt> {
  const given = readGiven(toolResultBody, body, 'INVALID_TOOL_EXECUTION')
  const execution = await executionFor(host, given, who)
  const { found, ticket, isOpen } = execution
  // What comes while its run is being stopped is noted down as late, once the call is given up.
  if (!isOpen) await found.live?.done
  const by = { id: subjectOf(who), method: 'wire' }
  const { executionId, runId, callId, resultKey } = given
  try {
    await found.session.redeem(ticket.id, resultOf(given), {
      by,
      ...(resultKey === undefined ? {} : { resultKey }),
    })
  } catch (error) {
    throw asAnswer(error, execution, resultKey)
  }
  return { executionId, runId, callId, status: 'accepted' }
}

function resultOf(given: ToolResult): GivenResult {
  return 'error' in given
    ? { failed: 'The application says that its function failed.' }
    : { output: given.output }
}

function asAnswer(error: unknown, { found, call }: Execution, key: string | undefined): unknown {
  const { execution, ...now } = found.session.state.calls.get(call.id) ?? call
  const wasTaken = isToolpostError(error) && error.code === 'TICKET_NOT_FOUND'
  if (wasTaken && key !== undefined && execution?.result?.key === key)
    return new HostError('TOOL_RESULT_CONFLICT')
  if (wasTaken && error.details.isLate === true)
    return new HostError('TOOL_EXECUTION_NOT_FOUND', error.message, { cause: error })
  const answer = ticketError(error, refused)
  const isSpent = answer instanceof HostError && spending.includes(answer.code)
  if (!isSpent || !wasUncertain(now)) return answer
  return new HostError(answer.code, answer.message, { outcome: 'uncertain', cause: error })
}

const spending: readonly string[] = ['TOOL_OUTPUT_LIMIT', 'INVALID_TOOL_OUTPUT']

const refused = {
  codes: {
    TICKET_NOT_FOUND: 'TOOL_EXECUTION_NOT_FOUND',
    SESSION_NOT_FOUND: 'TOOL_EXECUTION_NOT_FOUND',
    TICKET_MISMATCH: 'TOOL_EXECUTION_MISMATCH',
    TOOL_OUTPUT_LIMIT: 'TOOL_OUTPUT_LIMIT',
    INVALID_TOOL_OUTPUT: 'INVALID_TOOL_OUTPUT',
  },
  told: ['TOOL_OUTPUT_LIMIT', 'INVALID_TOOL_OUTPUT'],
} as const
