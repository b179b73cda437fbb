/** One row of the table: how a code travels. */
interface WireError {
  /** The status of a response that carries it; a run's stream carries it with 200. */
  readonly status: number
  /** Whether the same request may succeed later, unless the host says otherwise of a single case. */
  readonly retryable: boolean
  /** What it means and what to do. */
  readonly meaning: string
}

function row(status: number, meaning: string, retryable = false): WireError {
  return { status, retryable, meaning }
}

/** A condition that passes. */
function passing(status: number, meaning: string): WireError {
  return row(status, meaning, true)
}

/** What is wrong with a request, before anything was done. */
const requestErrors = {
  INVALID_REQUEST: row(400, 'The request has a wrong shape; the message names the path.'),
  INVALID_SCHEMA: row(400, 'A JSON Schema cannot be used; the message names the place and the reason.'),
  UNSUPPORTED_PROTOCOL_VERSION: row(400, 'The other side speaks another version of the protocol.'),
  UNKNOWN_PROVIDER: row(400, 'The host has no provider of this name.'),
  UNSUPPORTED_MODEL: row(400, 'The provider has no model of this name.'),
  UNSUPPORTED_TOOLS: row(400, 'The provider cannot use tools; leave `tools` out.'),
  UNSUPPORTED_CAPABILITY: row(400, 'The provider lacks a capability that the request requires.'),
  UNKNOWN_TOOL: row(400, 'A selected tool is neither registered at the host nor declared by the request.'),
  UNAUTHORIZED: row(401, 'No token, or one that the host does not know.'),
  AUTH_UNAVAILABLE: passing(503, 'The host cannot check tokens at present.'),
  INVALID_AUTH_POLICY: row(503, 'The host cannot read what a token grants; its operator has to mend that.'),
  REQUEST_TIMEOUT: passing(408, 'The request came too slowly.'),
  FORBIDDEN: row(403, 'The token does not grant this.'),
  ORIGIN_DENIED: row(403, 'The page that asks is of an origin that the host does not list.'),
  NOT_FOUND: row(404, 'There is nothing at this address.'),
  METHOD_NOT_ALLOWED: row(405, 'The address takes other methods; `Allow` names them.'),
  RUN_NOT_FOUND: row(404, 'No run of this id is visible to the caller.'),
  RUN_IN_SESSION: row(409, 'The run is a turn of a session; delete the session.'),
  CALL_NOT_FOUND: row(404, 'The run has no call of this id.'),
  CALL_NOT_UNCERTAIN: row(409, 'The outcome of the call is known; there is nothing to reconcile.'),
  BODY_TOO_LARGE: row(413, 'The body has more bytes than the host reads.'),
} as const

/** What is wrong with application tools, or came of them. */
const toolErrors = {
  APPLICATION_TOOLS_UNAVAILABLE: row(400, 'The host does not take application tools.'),
  TOOL_STREAM_REQUIRED: row(400, 'A run with application tools has to be streamed.'),
  TOOL_DEFINITION_LIMIT: row(400, 'A definition has more bytes than the host takes.'),
  TOOL_DEFINITION_CONFLICT: row(409, 'Two tools of the run bear one name; rename the declared one.'),
  TOOL_EXECUTOR_CAPACITY: passing(429, 'As many executions as the host allows wait for results.'),
  INVALID_TOOL_EXECUTION: row(
    400,
    'A result or a progress report has a wrong shape; its execution still waits.',
  ),
  TOOL_EXECUTION_NOT_FOUND: row(404, 'No execution of this id waits for a result from the caller.'),
  TOOL_EXECUTION_MISMATCH: row(409, 'The execution belongs to another run or call; it still waits.'),
  TOOL_RESULT_CONFLICT: row(409, 'The execution was closed with another outcome under the same key.'),
  INVALID_TOOL_OUTPUT: row(400, 'The output breaks the schema that was declared; the execution is spent.'),
  TOOL_OUTPUT_LIMIT: row(400, 'The output has more bytes than the host takes; the execution is spent.'),
  APPLICATION_TOOL_FAILED: row(422, "The application's function failed."),
  TOOL_FAILED: row(422, "The host's tool failed."),
  INVALID_TOOL_CALL: row(422, 'The model proposed a call without an id, with a used one, or too large.'),
  INVALID_TOOL_ARGUMENTS: row(422, "The model's arguments break the tool's schema."),
  TOOL_NOT_ALLOWED: row(422, 'The model called a tool that the run did not select.'),
  TOOL_LIMIT: row(422, 'The model proposed more calls in one answer than are allowed.'),
  TOOL_OUTCOME_UNCERTAIN: row(409, 'A call may have done something; look before anything is done again.'),
} as const

/** What is wrong with approvals, or came of them. */
const approvalErrors = {
  APPROVAL_UNAVAILABLE: row(400, 'The host does not ask for approvals over the wire.'),
  APPROVAL_POLICY: row(400, 'The host does not allow this policy for approvals.'),
  APPROVAL_STREAM_REQUIRED: row(400, 'A run with approvals has to be streamed.'),
  INVALID_APPROVAL: row(400, 'The decision has a wrong shape; the approval is still pending.'),
  APPROVAL_NOT_FOUND: row(404, 'No approval of this id waits for a decision of the caller.'),
  APPROVAL_MISMATCH: row(409, 'The decision names another run or call; the approval is still pending.'),
  APPROVAL_CAPACITY: passing(429, 'As many approvals as the host allows wait for decisions.'),
  APPROVAL_REQUIRED: row(403, 'The call needs an approval that nobody can or will give.'),
  APPROVAL_DENIED: row(403, 'A person denied the call.'),
  APPROVAL_EXPIRED: row(422, 'Nobody decided in time; the call did not run.'),
  APPROVAL_AUDIT_FAILED: row(503, 'The decision could not be noted down; nothing was allowed.'),
} as const

/** What is wrong with sessions. */
const sessionErrors = {
  SESSIONS_UNAVAILABLE: row(400, 'The host keeps no sessions for the caller.'),
  INVALID_SESSION: row(400, 'The session request has a wrong shape, or the session exists already.'),
  SESSION_HISTORY_CONFLICT: row(400, 'A run of a session cannot bring a history of its own.'),
  SESSION_NOT_FOUND: row(404, 'No session of this id is visible to the caller.'),
  SESSION_REVISION_CONFLICT: row(409, 'The session has changed since; read it again.'),
  SESSION_BUSY: passing(409, 'A run of the session goes on; wait for its end.'),
  SESSION_INTERRUPTED: row(409, 'The last turn of the session did not complete; start another session.'),
  SESSION_PROVIDER_MISMATCH: row(409, 'The session belongs to another provider or model.'),
  SESSION_DELETED: row(409, 'The session was deleted while the run went on.'),
} as const

/** How runs are admitted, told apart, and ended. */
const runErrors = {
  IDEMPOTENCY_CONFLICT: row(409, 'The key was used for another request.'),
  OPERATION_IN_PROGRESS: passing(409, 'The run of this key has not ended.'),
  OPERATION_STORE_ERROR: row(503, 'The record of the run cannot be written or read.'),
  OPERATION_STORE_FULL: row(503, 'The host cannot keep one record more.'),
  BUSY: passing(429, 'As many runs go on as are allowed.'),
  QUEUE_FULL: passing(429, 'As many runs wait as are allowed.'),
  CONNECTION_CAPACITY: passing(429, 'As many streams are open as the host allows.'),
  STEP_LIMIT: row(422, 'The model had no answer in as many steps as the run has.'),
  INVALID_OUTPUT: row(422, "The run ended because no answer passed the request's output schema."),
  OUTPUT_BUFFER_LIMIT: row(422, 'The reader fell too far behind the stream.'),
  RESOURCE_LIMIT: row(403, 'The run used up its budget.'),
  CANCELLED: row(409, 'The run was cancelled.'),
  IDLE_TIMEOUT: passing(504, 'Nothing happened for as long as the run may be idle.'),
  TIMEOUT: row(504, 'The run took longer than it may.'),
  PROVIDER_ERROR: row(502, 'The provider refused or broke off.'),
} as const

/** What is wrong with the host itself. */
const hostErrors = {
  INTERNAL_ERROR: row(500, 'The host failed; what happened stands in its own log.'),
  HOST_STARTING: passing(503, 'The host is about to start.'),
  HOST_SHUTTING_DOWN: passing(503, 'The host is about to end; ask again, or another one.'),
  INVALID_CONFIG: row(400, 'The host cannot be made with these options; the message names the first.'),
  TLS_REQUIRED: row(400, 'A host that others can reach needs a key and a certificate.'),
} as const

/** What a client finds out by itself; no host sends these. */
const clientErrors = {
  INSECURE_TRANSPORT: row(400, 'The address is neither https nor http on this machine, or holds a secret.'),
  AUTH_REQUIRED: row(401, 'The client has no token.'),
  HTTP_ERROR: row(502, 'The answer is an error, and not of this protocol.'),
  INVALID_RESPONSE: row(502, 'The answer is not what the protocol says.'),
  INVALID_STREAM: row(502, 'The stream breaks a rule of the protocol.'),
  INCOMPLETE_STREAM: row(502, 'The stream ended before its run did.'),
  UNSUPPORTED_EVENT: row(502, 'The stream has an event that the client must not skip and does not know.'),
  RESPONSE_TOO_LARGE: row(502, 'The answer, or one frame of it, has more bytes than a client reads.'),
} as const

/** Every code of the wire, with its status, whether it passes by itself, and what it means. */
export const wireErrors = {
  ...requestErrors,
  ...toolErrors,
  ...approvalErrors,
  ...sessionErrors,
  ...runErrors,
  ...hostErrors,
  ...clientErrors,
} as const

/** A code of the table. Codes are open: a newer host may send others. */
export type WireErrorCode = keyof typeof wireErrors

/** Whether a code is one of the table. */
export function isWireErrorCode(code: string): code is WireErrorCode {
  return Object.hasOwn(wireErrors, code)
}
