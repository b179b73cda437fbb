import { bytesOf } from '../../core/json/bytes-of.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import { HostError } from '../../protocol/host-error.ts'
import { type ToolProgressReceipt, toolProgressBody } from '../../protocol/tool-executions/tool-progress.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import type { Who } from '../who.ts'
import { executionFor } from './open-execution.ts'

/**
 * Passes on that an execution gets on; also a report that says nothing more is a sign of life of its run. Nobody is told
 * of one whose run another process drives. Errors: INVALID_TOOL_EXECUTION, also for an output with more than 128,000 bytes;
 * TOOL_EXECUTION_NOT_FOUND, FORBIDDEN, TOOL_EXECUTION_MISMATCH.
 */
export async function reportToolProgress(
  host: HostParts,
  body: unknown,
  who: Who,
): Promise<ToolProgressReceipt> {
  const given = readGiven(toolProgressBody, body, 'INVALID_TOOL_EXECUTION')
  const { executionId, runId, callId, ...progress } = given
  refuseLarge(progress.output)
  const { found, call, isOpen } = await executionFor(host, given, who)
  if (!isOpen) throw new HostError('TOOL_EXECUTION_NOT_FOUND')
  found.session.reportProgress(call.id, progress)
  return { executionId, runId, callId, status: 'progress' }
}

function refuseLarge(output: Parameters<typeof bytesOf>[0] | undefined): void {
  const bytes = output === undefined ? 0 : bytesOf(output)
  if (bytes <= wireBounds.outputBytesMax) return
  throw new HostError(
    'INVALID_TOOL_EXECUTION',
    `/output has ${bytes} bytes as JSON, and at most ${wireBounds.outputBytesMax} are shown of what is not done yet.`,
  )
}
