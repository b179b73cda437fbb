/** How long a run may be without any sign of life, in milliseconds, and whether that time runs on while a person is asked. */
export interface IdleRule {
  readonly timeoutMs: number
  readonly whileAsking: 'pause' | 'continue'
}
