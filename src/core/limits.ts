/** Every bound with its default and its reason; an agent's options name those that it may set. */
export const limits = {
  /** Bytes of a tool's name: the widest grammar of the contracts. */
  toolNameBytesMax: 128,
  /** Tools of one catalog: a request with more is useless to a model. */
  catalogToolsMax: 10_000,
  /** Calls of one model answer (application-tools). */
  stepCallsMax: 32,
  /** Model answers of one run (tools-in-an-agent). */
  stepsMax: 25,
  /** Calls of one run: forty steps with a full hand each. */
  callsMax: 1_280,
  /** Bytes of one call's arguments: what a model can write in one answer. */
  argumentsBytesMax: 1_048_576,
  /** Milliseconds that `prepare` and `check` may take: they look things up, they do not work. */
  prepareMs: 10_000,
  /** Milliseconds that an aborted tool has to acknowledge before its effect counts as uncertain. */
  acknowledgeMs: 100,
  /** Tokens of one call's result that the model gets whole; a token is taken as four bytes. */
  resultTokensMax: 8_000,
  /** Tokens of results that one run may bring into the conversation: a hundred whole pages. */
  runResultTokensMax: 200_000,
  /** Bytes of a result that the model gets even when the run has spent its budget: its head, its tail, its handle. */
  resultPreviewBytesMin: 1_024,
  /** Bytes of a result that are kept at all. */
  resultKeptBytesMax: 67_108_864,
  /** Characters of an error's message that are kept. */
  messageCharactersMax: 8_000,
  /** Milliseconds that an owner keeps a session without a sign of life. */
  leaseMs: 10_000,
  /** Events of history that are composed into a request before the compaction rule cuts. */
  historyEntriesMax: 400,
  /** Characters of history that are composed into a request before the compaction rule cuts. */
  historyCharactersMax: 400_000,
  /** How often a fact that loses the race for a sequence is tried again. */
  appendTriesMax: 1_000,
} as const
