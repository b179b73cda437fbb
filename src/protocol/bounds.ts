/** Every bound of the wire with its reason; hosts say them in `GET /v1/protocol`. */
export const wireBounds = {
  /** Bytes of a request's body (application-tools-details 1.1). */
  bodyBytesMax: 1_000_000,
  /** Bytes of one frame of a stream, and of a JSON response (application-tools-details 1.8). */
  frameBytesMax: 2_000_000,
  /** Bytes of an error's body that a client reads (application-tools-details 1.8). */
  errorBodyBytesMax: 64_000,
  /** Bytes of JSON of one definition, one call, and one output (application-tools-details 2.10). */
  definitionBytesMax: 128_000,
  callBytesMax: 128_000,
  outputBytesMax: 128_000,
  /** UTF-16 code units of the id of a run, a call, an approval, an execution. */
  idCodeUnitsMax: 256,
  /** Characters of a tool's name. */
  toolNameCharactersMax: 64,
  /** Characters of a tool's description. */
  descriptionCharactersMax: 10_000,
  /** Definitions of one run, and tools that it selects. */
  toolsMax: 32,
  /** Characters of a run's input, of its instructions, and of one message of its history. */
  textCharactersMax: 100_000,
  /** Messages of a run's history. */
  historyMax: 100,
  /** Calls of one answer of the model. */
  stepCallsMax: 32,
  /** Answers of one run, when the host allows so many. */
  stepsMax: 64,
  /** Answers of one run that says nothing of it. */
  stepsDefault: 8,
  /** Tokens of one answer. */
  outputTokensMax: 65_536,
  outputTokensDefault: 4_096,
  /** The longest time that a timer of any runtime takes, in milliseconds. */
  timerMsMax: 2_147_483_647,
  /** Executions of one run that a client follows (application-tools-details 1.8). */
  executionsMax: 2_048,
  /** Keys of a run's metadata, characters of a key, characters of a value. */
  metadataKeysMax: 32,
  metadataKeyCharactersMax: 80,
  metadataValueCharactersMax: 500,
  /** Characters of a person's reason, and of what a tool says of its progress: a paragraph, to be read at a glance. */
  remarkCharactersMax: 2_000,
  /** Items of one page. */
  pageItemsMax: 100,
  /** Items of a page that nobody asked a number of. */
  pageItemsDefault: 50,
} as const
