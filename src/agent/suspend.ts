const suspended = Symbol.for('toolpost.suspend')

/** What a handler returns when it will not answer now: the run rests in the store until somebody does. */
export function suspend(): Suspended {
  return suspended as unknown as Suspended
}

/** The value of `suspend()`. */
export interface Suspended {
  readonly suspended: true
}

/** Whether an answer is `suspend()`. */
export function isSuspended(answer: unknown): answer is Suspended {
  return answer === (suspended as unknown)
}
