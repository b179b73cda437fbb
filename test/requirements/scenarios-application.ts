import { differing, type Requirement, rows } from './requirement.ts'

/** Application tools. */
export const applicationScenarios: readonly Requirement[] = [
  ...rows('application', 'tested', 'spine', {
    A4: 'An asynchronous input schema is refused.',
    A5: 'A schema that refers to an address elsewhere is refused, and nothing is fetched.',
    A15: 'Tuples of draft-07 are enforced whether or not the schema names its dialect.',
  }),
  ...rows('application', 'tested', 'host', {
    // Definitions and preflight.
    A1: 'A definition that the request does not select is refused before any event.',
    A2: 'Two definitions of one name conflict.',
    A3: "A definition with the name of a host's own tool conflicts.",
    A6: 'A definition with a key that is not in the contract is refused.',
    A7: 'A host that has not enabled application tools refuses them and does not advertise them.',
    A8: 'A request that does not stream is refused before any model call when it brings application tools.',
    A10: 'One to 32 definitions are accepted.',
    A11: 'A name has up to 64 letters, digits and underscores of ASCII and begins with no digit.',
    A12: 'A selected name that nobody provides is unknown, and a repeated selection is invalid.',
    A17: 'A required capability that the provider lacks is refused before any model call.',
    A18: 'A field that the request does not know is refused.',
    // Batch and call validation.
    B1: 'One invalid call of an answer keeps every call of it from being dispatched.',
    B2: "One invalid call of an answer keeps a host's own tools from running.",
    B3: 'A call of a tool outside the selection is not allowed.',
    B4: 'Calls on the last step end the run unexecuted, and the smaller of the two step limits holds.',
    B6: 'Two calls with one id, or an empty id, are invalid and none of the calls runs.',
    B7: 'A step takes up to 32 calls.',
  }),
  ...rows('application', 'tested', 'host', {
    // Batch and call validation.
    B12: 'A budget that the step itself used up ends the run before any tool of it.',
  }),
  ...rows('application', 'tested', 'spine', {
    B11: 'Changing the object of an event or of an approval request does not change what runs.',
  }),
  ...rows('application', 'tested', 'host', {
    // Tickets.
    C1: 'Progress and a result are acknowledged, and the stream shows exactly the output and completes.',
    C2: 'A second result, and progress after it, find no ticket.',
    C4: 'Without the grant for provider or function a submission is forbidden, and the ticket stays usable.',
    C7: 'A result with a field too many is invalid, and the ticket is kept.',
    C8: 'A result with output and error is invalid, and the ticket is kept.',
    C9: 'An error in free text is invalid, and the text appears nowhere.',
    C11: 'Null is an output, and a missing output is none.',
    C13: 'An output over the limit consumes the ticket and leaves the run uncertain.',
    C17: 'A full executor rejects new work and touches no ticket that is open.',
    C21: 'A result after the end of the run finds no ticket.',
    C22: 'A limit on open tickets must be a positive whole number.',
    // Review requirement.
    D7: 'A denied review ends the run without an execution.',
    // Approval decisions.
    E1: 'A decision of another subject finds no approval.',
    E3: 'The receipt comes before the effect, and a second decision finds nothing.',
    E6: 'Denying fails the run, cancelling cancels it, and neither is uncertain.',
    E8: 'A review that pauses the idle clock can wait for thirty days.',
    E9: 'A review that does not pause the idle clock ends by it.',
    E13: 'A host without reviews, or without pausing ones, says so before the run starts.',
    // Progress, idle, cancellation.
    F1: 'Without an idle limit a function may be silent for a week.',
    F2: 'Progress resets the idle clock.',
    F6: "A request cannot turn off the host's idle limit.",
    F8: 'Ending the iteration while a ticket is open settles promptly and frees its place.',
    F10: 'A signal that is already aborted, or an early break, costs no model call.',
    // Uncertain outcomes, idempotency.
    G1: 'A throw after an effect is uncertain, and its text never leaks.',
    G2: 'A replayed run does not ask for an execution again.',
    G3: 'A replayed run shows no approvals, and the old ones stay closed.',
    G5: 'A key gives the same result for the same request and a conflict for another, each subject for itself.',
    G15: 'Two stores that race for one key make one run.',
    // HTTP and protocol.
    H1: 'A missing token, a foreign origin, an unknown field and a missing grant each have their own status.',
    H2: 'A version that is not spoken is refused before anything runs, and none is accepted.',
    H3: 'A preflight permits and exposes the version header.',
    H7: 'A subject over its share is busy, and no stream is opened.',
    H9: 'A run that waits in the queue has started, and the control endpoints stay usable.',
    H10: 'A shutdown cancels what runs and what waits.',
    H12: 'A bad token is reported before a bad version, and a foreign origin before both.',
    // Sessions.
    J2: 'Deleting a session during a run ends it for good.',
  }),
  ...rows('application', 'tested', 'host', {
    // Tickets.
    C19: 'Progress and results need no run slot, so that a full host can finish.',
    // Review requirement.
    D1: 'When host, token or definition requires a review, a request that offers none fails without an execution.',
    D2: 'With a review the function runs once, after the approval.',
    D3: 'A definition cannot lower what host or token require.',
    D5: "A host's callback that says no fails the run without asking a person.",
    D6: "A host's callback that says yes does not replace a review that the request offers.",
    // Approval decisions.
    E5: 'The audit counts what was rejected and what was resolved.',
    E12: 'A full set of open reviews rejects another, and ends free it.',
    E14: 'A request that does not stream is refused when it asks for reviews.',
    E16: 'A disconnect and a shutdown cancel an open review.',
    E17: 'Closing a stream with a read that waits returns promptly.',
    E19: 'An asynchronous audit sink fails the run before anybody is asked.',
    E20: 'Remote decisions need the grant, the provider and the subject, and no run slot.',
    E22: 'Each decision has its terminal event and outcome, and only an approval completes the tool.',
    // Progress, idle, cancellation.
    F9: 'Heartbeats and pings do not reset the idle clock.',
    // Uncertain outcomes, idempotency.
    G12: 'After a kill the key is uncertain, and the effect is not repeated.',
    G13: 'A full store refuses new keys and still replays old ones, and a corrupt record is an error.',
    // Sessions.
    J1: 'Tools work in a session, and stale, concurrent and interrupted turns each have their own code.',
  }),
  ...rows('application', 'tested', 'host', {
    // What a client keeps to.
    F7: 'A client that closes the stream aborts the run, and a late result finds no ticket.',
    F11: 'A consumer that does not read can still cancel.',
    F12: 'A stream that is cut off cleanly is incomplete and never a success.',
    H5: 'A client refuses a redirect, and the credential does not travel.',
    H6: 'Plain transport is for loopback only, on both sides.',
    H13: 'A certificate that is not trusted stops the client before any request.',
    I1: 'A stream in any fragments, line ends and marks is read right.',
    I2: 'The bound of a frame counts bytes.',
    I3: 'A stream without its end is incomplete, and one with bad content is invalid.',
    I4: 'A stream that breaks the order, the identity or the types is invalid.',
    I6: 'A response of another version is refused, and an unknown error code is kept.',
    I7: 'An execution event with a wrong identity, name or arguments is invalid.',
    I10: 'A receipt that does not echo its submission is invalid.',
    I12: 'A wrong content type is invalid, a redirect is not followed, and cancelling closes the connection.',
  }),
  ...differing('application', 'deviates', 'host', {
    G7: [
      'A duplicate during the run is in progress, and after an abandoned one uncertain.',
      'Ours replays how the abandoned run ended: cancelled, with outcome uncertain where something may have been done.',
    ],
    G10: [
      'A replay of an abandoned run shows what was confirmed and then says uncertain.',
      'Ours shows what was confirmed and then its end, cancelled with outcome uncertain.',
    ],
    G11: [
      'A record that grows over its limit is uncertain and stays so.',
      "Ours keeps the run's log itself, whatever its size, so that there is no limit to grow over.",
    ],
  }),
]
