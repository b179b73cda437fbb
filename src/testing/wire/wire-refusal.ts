/** What a provider refuses a request with. */
export interface RefusalDetails {
  /** HTTP status; default 400. */
  readonly status?: number
  /** The parameter that is wrong, as the provider names it. */
  readonly param?: string
  /** The provider's code for it. */
  readonly code?: string
}

/** A request that the server does not take; the message says what is wrong with it. */
export class WireRefusal extends Error {
  readonly status: number
  readonly param: string | undefined
  readonly code: string | undefined

  constructor(message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'WireRefusal'
    this.status = details.status ?? 400
    this.param = details.param
    this.code = details.code
  }
}
