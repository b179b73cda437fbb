/** One row of the error table: what a caller reads when he made a mistake. */
interface ErrorEntry {
  /** HTTP status a host answers with. */
  readonly status: number
  /** What the code means and what to do, for the documents. */
  readonly meaning: string
}

/**
 * Every code that a `ToolpostError` can carry. A caller's mistake is thrown with one of these;
 * what a model may repair is never thrown: it is a value with a `lower_snake` code.
 */
export const errorTable = {
  INVALID_TOOL: {
    status: 400,
    meaning: 'A tool definition is wrong; the message names the key and what it must be.',
  },
  INVALID_AGENT: { status: 400, meaning: 'An agent option is wrong; the message names it.' },
  INVALID_SCHEMA: {
    status: 400,
    meaning: 'A JSON Schema cannot be used; the message has a pointer to the place and the reason.',
  },
  INVALID_ARGUMENT: { status: 400, meaning: 'A value handed to the library is wrong; the message names it.' },
  NOT_ENCODABLE: {
    status: 400,
    meaning:
      'A value has no JSON form (a function, a cycle, NaN): it cannot be digested, and no store keeps it.',
  },
  DUPLICATE_TOOL: { status: 409, meaning: 'Two tools of one catalog bear the same name; rename one.' },
  RESERVED_NAME: { status: 400, meaning: 'The name is kept for a built-in tool; choose another.' },
  UNKNOWN_TOOL: { status: 404, meaning: 'No tool of this name is in the catalog.' },
  SESSION_NOT_FOUND: { status: 404, meaning: 'The store holds no session of this id.' },
  SESSION_EXISTS: { status: 409, meaning: 'The store already holds a session of this id; open it instead.' },
  SESSION_BUSY: {
    status: 409,
    meaning: 'Another process drives this session; wait, or answer its asks from here.',
  },
  RUN_NOT_FOUND: { status: 404, meaning: 'The store holds no run of this id.' },
  DEFINITION_CHANGED: {
    status: 409,
    meaning:
      'The agent is not made of what it was when the run began; the message says what changed. Nothing was done.',
  },
  RUN_TIMEOUT: { status: 408, meaning: 'The run took longer than it may, and was stopped.' },
  IDLE_TIMEOUT: {
    status: 408,
    meaning: 'Nothing happened in the run for as long as it may be idle, and it was stopped.',
  },
  OUTPUT_INVALID: {
    status: 422,
    meaning: "The run ended because none of the model's answers passed the agent's output schema.",
  },
  RUN_OPEN: { status: 409, meaning: 'The session has a run that has not ended; resume or cancel it first.' },
  TICKET_NOT_FOUND: { status: 404, meaning: 'No open or decided ask of this id is visible to you.' },
  TICKET_DECIDED: {
    status: 409,
    meaning: 'The ask was already answered; the message says by whom, by which door and when.',
  },
  TICKET_MISMATCH: {
    status: 409,
    meaning: 'The answer is bound to other arguments than those now asked for.',
  },
  INVALID_DECISION: {
    status: 400,
    meaning: 'The decision has a wrong shape, or its edited arguments break the schema.',
  },
  INVALID_INPUT: {
    status: 400,
    meaning: 'What was given to a tool that asks does not pass its schema, or the ask is for something else.',
  },
  TOOL_OUTPUT_LIMIT: {
    status: 400,
    meaning:
      'The result of a call that was handed out is too large; the call has failed, and its effect took place.',
  },
  INVALID_TOOL_OUTPUT: {
    status: 400,
    meaning:
      "The result of a call that was handed out does not pass its tool's output schema; the call has failed, and its effect took place.",
  },
  CALL_NOT_FOUND: { status: 404, meaning: 'The store holds no call of this id.' },
  CALL_NOT_UNCERTAIN: { status: 409, meaning: 'Only a call whose outcome is uncertain can be reconciled.' },
  LIMIT_EXCEEDED: {
    status: 400,
    meaning: 'A bound of the limits table was passed; the message names it and its value.',
  },
  ILLEGAL_EVENT: { status: 500, meaning: 'An event does not follow from the log; nothing was written.' },
  STORE_CLOSED: { status: 500, meaning: 'The store was closed; open it again.' },
  STORE_CONFLICT: { status: 409, meaning: 'A write lost a race more often than is plausible; try again.' },
  STORE_CORRUPT: { status: 500, meaning: 'The store holds something that this version cannot read.' },
  LEASE_LOST: {
    status: 409,
    meaning: 'Another process took over the session; this one stopped before its next effect.',
  },
  MISSING_PACKAGE: {
    status: 500,
    meaning: 'An optional package is needed; the message says which to install.',
  },
  MODEL_FAILED: {
    status: 502,
    meaning: 'The model provider refused or broke off; the message has its words.',
  },
  SCRIPT_EXHAUSTED: {
    status: 500,
    meaning: 'A scripted model was asked for more steps than its script holds.',
  },
} as const satisfies Record<string, ErrorEntry>

/** A code of the error table. */
export type ErrorCode = keyof typeof errorTable

const brand = Symbol.for('toolpost.error')

/**
 * A caller's mistake. `code` is stable and documented; `message` says what is wrong and what to do;
 * `status` is the HTTP status a host answers with; `details` holds data for programs.
 */
export class ToolpostError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ToolpostError'
    this.code = code
    this.status = errorTable[code].status
    this.details = options.details ?? {}
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether a value is a `ToolpostError`, also one made by another copy of this package. */
export function isToolpostError(value: unknown): value is ToolpostError {
  try {
    return typeof value === 'object' && value !== null && brand in value
  } catch {
    // A Proxy that throws when it is asked.
    return false
  }
}
