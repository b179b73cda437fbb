/** The version of the protocol that this package speaks. */
export const protocolVersion = '1.0'

/** The header of requests and responses that carries the version. Absent = this one. */
export const versionHeader = 'Toolpost-Version'

/** The header by which a client says that it skips optional events that it does not know. */
export const optionalEventsHeader = 'Toolpost-Accept-Optional-Events'
