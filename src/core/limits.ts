/** Every bound with its default and its reason; an agent's options name those that it may set. */
export const limits = {
  /** Bytes of a tool's name: the widest grammar of the contracts. */
  toolNameBytesMax: 128,
  /** Tools of one catalog: a request with more is useless to a model. */
  catalogToolsMax: 10_000,
  /** Tools whose versions a run's start names one by one; of more it holds one digest. */
  fingerprintToolsMax: 500,
  /** Calls of one model answer (application-tools). */
  stepCallsMax: 32,
  /** Model answers of one run (tools-in-an-agent). */
  stepsMax: 25,
  /** Answers that are read as a run's output before it fails: a model that missed twice gets no better. */
  outputAttemptsMax: 3,
  /** Calls of one run: forty steps with a full hand each. */
  callsMax: 1_280,
  /** Bytes of one call's arguments: what a model can write in one answer. */
  argumentsBytesMax: 1_048_576,
  /** Bytes of what a person answers a tool, as JSON: as much as a model can ask with. */
  answerBytesMax: 1_048_576,
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
  /** Bytes, as JSON, of what somebody outside gives for a call that was handed out (application-tools). */
  handedOutputBytesMax: 128_000,
  /** Bytes of a result that are kept at all. */
  resultKeptBytesMax: 67_108_864,
  /** Characters of an error's message that are kept. */
  messageCharactersMax: 8_000,
  /** Times that one call is put off until a later time: a call that never ends would be one nobody sees. */
  claimsMax: 1_000,
  /** Milliseconds that a drive waits by itself for a time that a call named; for more the run rests in the store. */
  restInProcessMs: 300_000,
  /** Agents above one that a call starts: an agent that runs itself comes to an end. */
  childDepthMax: 16,
  /** Agents that are started below one run, on all levels: agents that start each other come to an end. */
  treeRunsMax: 1_000,
  /** Milliseconds that an owner keeps a session without a sign of life. */
  leaseMs: 10_000,
  cancelWaitMs: 30_000,
  /** Events of history that are composed into a request before the compaction rule cuts. */
  historyEntriesMax: 400,
  /** Characters of history that are composed into a request before the compaction rule cuts. */
  historyCharactersMax: 400_000,
  /** How often a fact that loses the race for a sequence is tried again. */
  appendTriesMax: 1_000,
  /** Events that protect no effect and may wait for the end of this turn of the event loop before they are stored. */
  eventsAheadMax: 256,
  /** Bytes of one value of the state: it is for facts about the work, not for the work itself. */
  stateValueBytesMax: 262_144,
  /** Keys of one scope of the state: all of them are read at once. */
  stateKeysMax: 1_000,
  /** Characters of a key of the state. */
  stateKeyCharactersMax: 256,
  /** Characters of JSON that one call of a provider's own tool came to: a long page with room to spare. */
  providerResultCharactersMax: 2_097_152,
  /** Files of one message, or of one answer. */
  filesMax: 20,
  /** Bytes of one file: the largest document that a provider takes. */
  fileBytesMax: 33_554_432,
  /** Bytes of a file that is sent as text: about what the largest models read at once. */
  textFileBytesMax: 1_048_576,
  /** Bytes of an image as it is sent: as base64, 5 MB, above which a provider refuses it. */
  imageBytesMax: 3_750_000,
  /** Pixels of an image that is decoded at all: a small file can unfold to gigabytes. */
  imagePixelsMax: 100_000_000,
  /** Pixels of an image's longer side, and its squares of 32 by 32 (tool-registry-and-code-mode). */
  imageSideMax: 2_048,
  imagePatchesMax: 2_500,
  /** The same for an image that is to stay as it is. */
  imageOriginalSideMax: 6_000,
  imageOriginalPatchesMax: 10_000,
  /** Seconds that it may take to decode and encode one image. */
  imageSecondsMax: 30,
} as const
