import { covered, coveredDiffering } from './covered.ts'
import { differing, type Requirement, rows } from './requirement.ts'

const source = 'application-tools'

/** An application's own functions over the wire, with the figures of the protocol. */
export const applicationTools: readonly Requirement[] = [
  // What crosses the wire.
  ...covered(source, {
    'definition-is-data by application/A6': 'A definition holds no source, command, address or identity.',
    'provider-without-tools by application/A17': 'A provider that declares no tools refuses a run with them.',
    'result-is-data by application/C7': 'A result carries no claim about its sender.',
  }),
  ...rows(source, 'tested', 'host', {
    'functions-stay':
      'Functions stay in the process of the application and are asked for over the stream of the run.',
  }),
  ...differing(source, 'deviates', 'host', {
    'native-route': [
      'A native agent without a tool bridge is not given one.',
      'There are no native agents here: a provider is a model, and one that says that it has no tools is given none.',
    ],
  }),
  // Setup, grants and review.
  ...covered(source, {
    'opt-in by application/A7': 'A host takes application tools only when they are enabled.',
    'review-by-default by application/D1': 'Each of host, token and definition can require a review.',
    'review-not-lowered by application/D3': 'A caller cannot take a requirement away.',
    'callback-also by application/D5': "A host's callback must agree too where a review is required.",
    'callback-adds by application/D6': "A host's callback is no replacement for a person.",
    'owner-only by application/C4': 'Only the run owner, with provider and function granted, may submit.',
  }),
  ...rows(source, 'tested', 'host', {
    'grants-independent':
      "The grants for application functions, for the host's own tools and for deciding reviews are independent of each other.",
    'grant-review-default': 'A grant that does not mention the review requires it.',
    'automatic-needs-both': 'A function runs without a review only when host and grant both say so.',
    'grants-bounded': 'A token has up to 32 grants of functions, each name once.',
    'authorise-first': 'A caller learns nothing about providers or tools for which it has no grant.',
  }),
  // Declaring and selecting.
  ...covered(source, {
    'stream-required by application/A8': 'Application tools need a stream.',
    'discovery by application/C19': 'A host advertises application tools only when they are enabled.',
    'selected by application/A1': 'A definition must be selected.',
    'duplicate by application/A2': 'A name is defined once.',
    'collision by application/A3': "A definition cannot take a host tool's name.",
    'unknown-selection by application/A12': 'A selected name must be provided by somebody.',
    'schema-synchronous by application/A4': 'A schema must be synchronous.',
    'schema-self-contained by application/A5': 'A schema must not refer to another place.',
    'schema-dialects by application/A15': 'Schemas are read in the two dialects that the contract supports.',
    'all-before-any by application/B1': 'All calls of an answer are checked before one of them runs.',
    'not-selected by application/B3': 'A model can call only what was selected.',
  }),
  ...rows(source, 'tested', 'host', {
    'bounds-before-any':
      'The bounds of bytes and identifiers are part of the check before any call of the answer runs.',
    'definition-fields':
      'A definition has a name, a described purpose of up to 10,000 characters, an input schema and optionally an output schema and a review.',
    'dialect-forms':
      'Draft-07 and 2020-12 are accepted in all usual spellings, and other dialects are refused.',
    'dialect-keywords':
      'A keyword that the dialect of a schema does not know is refused or enforced, and never a silent nothing.',
    'schema-bounds': 'Depth, size and validation time of a schema are bounded.',
    'schema-fault-path': 'A fault says which schema and which path.',
  }),
  // Dispatch and results.
  ...covered(source, {
    'execute-on-request by application/D2':
      'A function is asked for after its approval and not by the proposal.',
    'proposal-may-be-denied by application/D7': 'A proposal can end in a denial.',
    'event-shape by application/I7':
      'The execution event carries execution, run and call, and a client checks each.',
    'receipts by application/I10': 'A receipt says that a submission was accepted and is checked to echo it.',
    'any-json by application/C11': 'A success may be any JSON value.',
    'fixed-failure by application/C9': 'A failure is one fixed code, and text of an exception never travels.',
    'no-slot by application/C19': 'Progress and results do not wait for a run slot.',
    'not-both by application/C8': 'A submission is a success or a failure.',
  }),
  ...rows(source, 'tested', 'host', {
    'no-own-callbacks': 'A client runs nothing by itself unless it was given the functions.',
    'embedded-subject': 'An embedded caller is trusted to name itself, and is the local subject otherwise.',
    'remote-subject': 'A remote caller is who its token says.',
    'submission-guards':
      'Submissions are under transport security, authentication, origin and body limits like every request.',
    'example-runs': 'An example runs the whole round over loopback without a credential.',
  }),
  ...differing(source, 'deviates', 'host', {
    'other-languages': [
      'Clients in other languages have calls of their own for a failure and for null.',
      'Ours ships a client for Python, whose one call takes an output, None too, or the word for a failure; others can be made from the OpenAPI description and the shared vectors.',
    ],
  }),
  // Failures.
  ...coveredDiffering(source, {
    'failure-ends-run by application/G1': [
      'A failed function, a bad call and a denial end the run.',
      'Ours tells the model and goes on, unless the strict endings are chosen.',
    ],
  }),
  // Deadlines and progress.
  ...covered(source, {
    'no-deadline by application/F1': 'There is no deadline unless one is asked for.',
    'progress-resets by application/F2': 'Real progress resets the idle clock.',
    'heartbeat-does-not by application/F9': 'A heartbeat does not.',
    'review-pauses-idle by application/E8': 'A review can stop the idle clock.',
    'review-keeps-idle by application/E9': 'A review can leave the idle clock running.',
    'host-idle by application/F6': 'The smaller idle limit holds.',
  }),
  ...rows(source, 'tested', 'host', {
    'idle-restarts': 'After an approval the whole idle interval starts again.',
  }),
  ...differing(source, 'deviates', 'host', {
    'no-retry': [
      'Neither a function nor the submission of its result is tried again by itself.',
      'Ours never executes a function twice; a result whose receipt was lost is sent again under the key of that result, which cannot count twice.',
    ],
    'progress-coalesced': [
      'Progress shows on the stream at most once a second for each call.',
      'Ours shows one a second, and the newest that was held back when the call ends: reports here have a content, which would be lost.',
    ],
  }),
  // Cancellation.
  ...covered(source, {
    'cancel-invalidates by application/F7': 'Ending the run invalidates its open tickets.',
    'cancel-promptly by application/F8': 'Ending the iteration frees everything promptly.',
    'cancel-unread by application/F11': 'A consumer that reads nothing can cancel too.',
    'cancel-review by application/E16': 'A disconnect ends an open review.',
  }),
  ...differing(source, 'deviates', 'host', {
    'tickets-and-restart': [
      'Open tickets disappear when the host restarts, and all requests of a run must reach one process.',
      'Ours keep tickets in the store: they outlast a restart and can be redeemed at any process of it.',
    ],
  }),
  // Stale tickets and uncertain outcomes.
  ...covered(source, {
    'single-use by application/C2': 'A ticket is redeemed once.',
    'stale by application/C21': 'A stale ticket is not found.',
    'malformed-keeps by application/C7': 'A malformed submission leaves every ticket as it was.',
    'size-consumes by application/C13': 'An output that is too large consumes the ticket and is uncertain.',
    'replay-no-execution by application/G2': 'A replay never asks for an execution.',
    'uncertain-after-kill by application/G12':
      'After a kill the outcome is uncertain and nothing is repeated.',
  }),
  ...rows(source, 'tested', 'host', {
    mismatch: 'A submission for another run or call is a mismatch and consumes nothing.',
    'schema-consumes': 'An output that breaks its schema consumes the ticket and tells its sender.',
    'no-amendment': 'A corrected result cannot undo the uncertainty.',
    'receipt-lost': 'The same result sent again after a lost receipt is acknowledged as before.',
    'other-endings-uncertain': 'A run that ends while a function is out says uncertain, whatever ended it.',
  }),
  // Limits.
  ...covered(source, {
    'limit-definitions by application/A10': 'A run has at most 32 definitions.',
    'limit-name by application/A11': 'A name has at most 64 characters.',
    'limit-calls by application/B7': 'A step has at most 32 calls.',
    'limit-steps by application/B4': 'Steps are bounded by request and host.',
    'limit-pending by application/C17': 'Open tickets are bounded, and none is dropped for another.',
    'limit-pending-config by application/C22': 'The bound on open tickets is checked when the host is made.',
  }),
  ...rows(source, 'tested', 'host', {
    'limit-definition-bytes': 'A definition has at most 128,000 bytes of JSON.',
    'limit-identifiers': 'Identifiers have at most 256 UTF-16 units.',
    'limit-pending-default': 'Open tickets and open reviews are each bounded at 1,000 by default.',
    'limit-request-fields': 'Every field of a request has its bound, and the default is 8 steps of up to 64.',
  }),
  ...differing(source, 'deviates', 'host', {
    'limit-call-bytes': [
      'A call has at most 128,000 bytes of JSON.',
      'Ours counts the name and the arguments; the id has a bound of its own, 256 UTF-16 units.',
    ],
    'limit-host-output': [
      "An output of a host's own tool has at most 1,000,000 bytes.",
      'Ours bounds what is kept of a result, at 67,108,864 bytes; the model is shown a part, and can ask for the rest.',
    ],
  }),
  // The wire.
  ...covered(source, {
    'wire-order by application/H12': 'Checks of a request come in a fixed order, with the origin first.',
    'wire-version by application/H2': 'One version is spoken, and its absence is accepted.',
    'wire-tls by application/H6': 'A listener beyond loopback needs a certificate.',
    'wire-origin by application/H3': 'Origins are listed exactly, and preflights permit what is needed.',
    'wire-statuses by application/H1': 'Faults of access and of form have their own statuses.',
    'wire-strict by application/A18': 'Requests are strict.',
    'wire-truncated by application/F12': 'A stream without its terminal event is never a success.',
    'wire-frames by application/I1': 'Frames are read in every form that the standard allows.',
    'wire-frame-bound by application/I2': 'A frame has at most 2,000,000 bytes.',
    'wire-invalid by application/I3': 'Bad content of a stream is told from a missing end.',
    'wire-envelope by application/I4':
      'Events are numbered without gaps, begin with the start and belong to one run.',
    'wire-client-version by application/I6':
      'A client refuses a version that it does not know before it reads.',
    'wire-no-redirect by application/H5': 'A client never follows a redirect.',
    'wire-client-close by application/I12': 'Closing a client closes its connection.',
    'wire-shutdown by application/H10': 'A shutdown ends everything cleanly.',
    'wire-certificate by application/H13': 'A client checks certificate and name.',
  }),
  ...rows(source, 'tested', 'host', {
    'wire-default-listen': 'A host listens on loopback at port 7433 by default.',
    'wire-headers': 'Every response, errors too, forbids caching and sniffing and names the version.',
    'wire-bearer':
      'A bearer has up to 4,096 characters without blanks, static ones at least 32, compared in constant time.',
    'wire-content': 'A body must be JSON in UTF-8, unencoded and at most 1,000,000 bytes.',
    'wire-error-body':
      'An error has a code, a message, whether a retry may help, and possibly that its outcome is uncertain.',
    'wire-no-leak': 'An unexpected failure has a fixed text.',
    'wire-discovery': 'Discovery lists features in a fixed order, only those that are enabled.',
    'wire-stream-start':
      'The first event is there before the status is sent, so that early faults are plain errors.',
    'wire-heartbeat': 'A comment every 15 seconds keeps a stream alive unless its reader is behind.',
    'wire-terminal':
      'Nothing follows the terminal event, which is cancelled when the run was aborted and failed otherwise.',
    'wire-optional-events': 'An unknown event is skipped only when it says that it is optional.',
    'wire-retry-after': 'An error that may pass says when to come again.',
    'wire-client-deadlines': 'A client has deadlines for discovery only.',
    'wire-client-bounds': 'A client reads at most 2,000,000 bytes of JSON and 64,000 of an error.',
    'wire-resume': 'A stream that broke can be resumed where it was.',
  }),
  ...differing(source, 'deviates', 'host', {
    'wire-not-found': [
      'An unknown path, method or query is not found.',
      'Ours has addresses that list, with filters in their query: a wrong filter is INVALID_REQUEST and is named. Everywhere else a query is not found.',
    ],
    'wire-endpoints': [
      'The routes of the contract exist with their grants and answers.',
      'Ours has those of discovery, runs, approvals, executions and sessions. A job is a run that is kept, under the address of runs; hosts here have no retrieval, pairing and management.',
    ],
  }),
  ...differing(source, 'deviates', 'host', {
    'wire-client-mistakes': [
      'Several mistakes of a client are answered like a fault of something behind the host.',
      "With us a client's mistake is always a status of the 400s.",
    ],
  }),
  // Reviews.
  ...covered(source, {
    'review-other-subject by application/E1': 'A review belongs to a subject and does not exist for others.',
    'review-receipt by application/E3': 'A decision is acknowledged before anything runs, and only once.',
    'review-outcomes by application/E22': 'Approve, deny, cancel and expire each have their ending.',
    'review-deny by application/E6': 'Denying and cancelling have no effect and are certain.',
    'review-capacity by application/E12': 'Open reviews are bounded.',
    'review-unavailable by application/E13': 'A review that the host cannot offer is refused at once.',
    'review-stream by application/E14': 'Reviews need a stream.',
    'review-audit by application/E5': 'Reviews are audited.',
    'review-audit-fails by application/E19': 'A review that cannot be audited does not happen.',
    'review-grants by application/E20': 'Deciding needs its own grant.',
  }),
  ...rows(source, 'tested', 'host', {
    'review-policy': 'A request says how a review treats the idle clock and may give it an end.',
    'review-exact-call':
      'A decision must repeat the call exactly, save for the order of keys, and a wrong one consumes nothing.',
    'review-expired-by-clock': 'An expiry holds by the clock even when its timer is late.',
    'review-capacity-first': 'Room for the execution is known before a person is asked.',
  }),
  ...differing(source, 'deviates', 'host', {
    'execution-audit': [
      'Executions are audited like reviews.',
      'Ours notes what was requested, resolved and rejected of executions too; but they are facts of the log then, and a sink that fails holds none of them back, as it does a review.',
    ],
  }),
  // Idempotency and neighbours.
  ...covered(source, {
    'key-fingerprint by application/G5': 'A key belongs to a subject and to one exact request.',
    'key-in-progress by application/G7': 'A duplicate neither runs nor is lost.',
    'key-abandoned by application/G10': 'An abandoned run replays what was confirmed.',
    'key-reviews by application/G3': 'A replay asks nobody.',
    'key-record-limit by application/G11': 'A record is bounded.',
    'key-store-full by application/G13': 'A full or broken store says so.',
    'key-race by application/G15': 'A key has one creator across processes.',
    'sessions by application/J1': 'Conversations have revisions and one writer.',
    'sessions-deleted by application/J2': 'A deleted conversation stays deleted.',
    'fair-share by application/H7': 'A subject has a bounded share of the host.',
    'queue by application/H9': 'A run that waits has started.',
    'budget by application/B12': 'A budget is checked before tools run.',
  }),
  ...rows(source, 'tested', 'host', {
    jobs: 'A run can outlive its connection and be read, followed and cancelled later.',
    'fixture-suite': 'Shared vectors check a client, and a suite checks a host.',
  }),
  ...differing(source, 'deviates', 'host', {
    'key-expiry': [
      'Keys and their records can expire and be deleted.',
      'With ours a key and its record are deleted with the session that its run named. One whose run named none is kept as long as the store; nothing expires.',
    ],
    'rate-retries': [
      'Only a refusal by rate is tried again, before anything streamed, and within the stated wait.',
      'Ours tries again whatever the provider calls worth it, up to three requests in all, if nothing was shown yet; the pauses are its own, or those that onModelError gives.',
    ],
    usage: [
      'Usage is reported as measured, never invented, and a failing sink fails no run.',
      'Ours reports usage as measured in the stream, in the result and in the log, and has no sink for it that could fail.',
    ],
  }),
]
