/** How often and how long a client tries, each with its reason. */
export const clientBounds = {
  /** Milliseconds that discovery may take (application-tools-details 1.8); nothing else has a deadline. */
  discoveryTimeoutMs: 10_000,
  /** Attempts in a row that bring nothing: with the pauses about a minute, as long as a host takes to start again. */
  attemptsMax: 10,
  /** Milliseconds of the first pause; each one doubles the one before. */
  pauseMsFirst: 250,
  /** Milliseconds of the longest pause: nobody waits longer for a host that has come back. */
  pauseMsMax: 15_000,
  /** Milliseconds that the receipt of a result is waited for when its run goes on without it. */
  receiptMs: 1_000,
  /** Executions that a worker remembers as done, so that one that is told again is not carried out again. */
  executionsDoneMax: 10_000,
} as const
