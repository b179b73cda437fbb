/** The command line itself is wrong: an unknown option, text that is no JSON, a missing argument. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
