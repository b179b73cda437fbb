/** Who owns sessions in this process, and whether another owner is known to be gone. */
export interface Owner {
  /** The name stands in the lease, followed by `/` and an id of the drive. */
  readonly name: string
  /** True only when it is certain that the process of the other owner has ended; then its lease is taken at once. */
  hasEnded(other: string): boolean
}
