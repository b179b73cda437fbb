/**
 * Why the host refuses a call, or stops a run, that the policy alone would have let pass: sentences that the model and people read, and
 * the code that the wire has for each.
 */
export const refusals = {
  callback: { code: 'APPROVAL_REQUIRED', sentence: 'The host did not allow this call.' },
  nobody: { code: 'APPROVAL_REQUIRED', sentence: 'This call needs a review, and the run takes none.' },
  reviews: {
    code: 'APPROVAL_CAPACITY',
    sentence: 'Too many reviews are open; this call can be made again later.',
  },
  executions: {
    code: 'TOOL_EXECUTOR_CAPACITY',
    sentence: 'Too many executions are open; this call can be made again later.',
  },
  large: { code: 'INVALID_TOOL_CALL', sentence: 'A call may have at most 128,000 bytes as JSON.' },
  audit: { code: 'APPROVAL_AUDIT_FAILED', sentence: 'The review could not be noted down.' },
  tokens: { code: 'RESOURCE_LIMIT', sentence: 'The run has used the tokens that it may use.' },
  endless: { code: 'PROVIDER_ERROR', sentence: 'The model answered with far more than it may.' },
  ids: {
    code: 'INVALID_TOOL_CALL',
    sentence: 'The model gave two calls one id, or a call none, or one of more than 256 characters.',
  },
  behind: { code: 'OUTPUT_BUFFER_LIMIT', sentence: 'The reader did not keep up with the run.' },
  changed: { code: 'FORBIDDEN', sentence: 'Who started the run has other rights, or none, by now.' },
  unchecked: {
    code: 'AUTH_UNAVAILABLE',
    sentence: 'The host could not check again who started the run.',
  },
  deleted: { code: 'SESSION_DELETED', sentence: 'The session was deleted.' },
} as const

/** The wire's code for a refusal, by the sentence in it. */
export function refusalCode(message: string): string | undefined {
  return Object.values(refusals).find(({ sentence }) => message.includes(sentence))?.code
}
