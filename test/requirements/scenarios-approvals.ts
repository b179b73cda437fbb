import { differing, type Requirement, rows } from './requirement.ts'

/** Approvals and tools in an agent. */
export const approvalScenarios: readonly Requirement[] = [
  // Answers from elsewhere.
  ...rows('approvals', 'tested', 'spine', {
    M13: 'An approval in one process lets the process that waits go on.',
  }),
  // Argument check.
  ...rows('approvals', 'tested', 'spine', {
    A1: 'A call without a required argument is not run, asks nobody, and tells the model which argument is missing.',
    A2: 'Null is as bad as a missing argument, save where the schema allows null by name.',
    A4: 'A text where an integer is declared by a plain JSON Schema fails, since such tools get no coercion.',
    A5: 'A number with a fraction is no integer.',
    A6: 'A whole number written with a zero fraction counts as an integer.',
    A7: 'An optional text may be null only when its type list names null.',
    A8: 'A value outside an enum fails.',
    A10: 'An undeclared argument fails by name when the schema is closed, and reaches the tool when it is open.',
    A12: 'Arguments that are not JSON fail as invalid JSON.',
    A13: 'Arguments that are JSON but no object fail.',
    A15: 'Faults in nested values and of every keyword are found, and one message lists them all by JSON pointer.',
  }),
  // Results and errors.
  ...rows('approvals', 'tested', 'spine', {
    B1: 'A text that a tool returns reaches the model as it is.',
    B2: 'A tool that returns nothing gives the model an empty text.',
    B3: 'Any other value reaches the model as JSON.',
    B5: 'A throw becomes a result with the message, the outcome is an error, and the turn goes on.',
    B6: 'A rejected promise is the same as a throw.',
  }),
  // Classes, contract, modes.
  ...rows('approvals', 'tested', 'spine', {
    C1: "A stricter class in the contract replaces the tool's own, and the agent's list of tools shows it.",
    C2: 'A looser class in the contract changes nothing.',
    C3: 'A tool without a class takes the one that the contract gives.',
    C5: 'A contract with entries withholds what it leaves out, and denies calls of it as its category.',
    C6: 'An empty contract leaves every tool as declared.',
    C7: 'A tool that the mode hides is not offered, and a call of it is denied by mode without asking anybody.',
    C8: 'Mode off offers no tool at all.',
    C9: 'A new session starts in mode ask.',
    C10: 'The default mode can be narrowed, and a wider one is not taken.',
    C11: "A session in a wide mode runs in the profile's narrower one, and both can be read.",
    C12: 'A mode that is set during a turn holds from the next turn on.',
    C14: 'The table of modes and classes is exact, and an unknown mode or class hides the tool.',
  }),
  // The approval handler.
  ...rows('approvals', 'tested', 'spine', {
    D1: 'Without a handler a call that asks is declined and not run.',
    D2: 'An approved call runs once.',
    D3: 'A denied call does not run, and the model reads the reason.',
    D4: 'An approval for the session spares later calls of the same tool from asking, and no other tool.',
    D6: 'A plain object with the approval in it is a decision.',
    D7: 'An answer that is no decision declines the call as a fault of the handler.',
    D8: 'A handler that throws declines the call, and the turn goes on.',
    D9: 'A handler may be an object, and its method keeps its own this.',
    D10: 'Stopping the turn aborts the signal, cancels the waiting call, and a later answer does nothing.',
    D11: "An approval of an application's own tool waits without a limit of its own.",
    D12: 'A call with invalid arguments never reaches the handler.',
  }),
  // Server tools that ask.
  ...rows('approvals', 'deferred', 'governance', {
    E1: "A server's tool that asks reaches the same handler, marked as coming from the gateway.",
    E2: 'The answer goes back to the server with the id of the call.',
    E3: "When the server's limit passes, the signal aborts, nothing runs, and the event says that no answer came.",
    E6: 'Without a handler the server is told at once that the call is declined.',
  }),
  // Manifest and sources.
  ...rows('approvals', 'deferred', 'governance', {
    F1: 'The manifest lists every tool of the application with its declared class, listed in the contract or not.',
    F2: 'With event reporting off no manifest is sent.',
    F3: 'A manifest that the server refuses does not fail the start.',
    F4: 'A class in the manifest changes nothing in what the agent may do.',
    F5: 'A source is asked for its tools once a start, with the client, the profile and a signal.',
    F6: 'Disposing of the agent disposes of its sources once.',
  }),
  // Definition and the border of the schema.
  ...rows('approvals', 'tested', 'spine', {
    G1: 'A tool with neither a function nor a question for a person is refused when it is built.',
    G2: 'A tool with only a question for a person can be built.',
    G3: 'An unknown key in a configuration is refused by name when the tool is built.',
    G4: 'A number that a model wrote as text is coerced for a tool with a Zod schema.',
    G5: 'A missing argument becomes a result that says what is invalid, and the run completes.',
    G7: 'A value that breaks a rule of the schema becomes an error result.',
    G9: 'A call of an unknown tool becomes an error result that names it, and the run goes on.',
    G10: "Descriptions of a schema's fields are in the JSON Schema that the model is sent.",
  }),
  // Prepare and finalize.
  ...rows('approvals', 'tested', 'spine', {
    H1: 'What prepare returns are the arguments that the tool sees.',
    H2: 'A prepare that returns nothing keeps the arguments.',
    H3: 'What finalize returns is what the model sees, and the log holds nothing else.',
    H4: 'A finalize that returns nothing keeps the output.',
    H5: 'A throw or a control signal skips finalize.',
    H6: 'Prepare, execute and finalize run once each, in this order.',
  }),
  // Timeout, retry, errors.
  ...rows('approvals', 'tested', 'spine', {
    I1: 'A call that fails twice and then succeeds gives one result.',
    I2: 'A call that fails at every try gives one result with the last error.',
    I3: 'An error that the predicate rejects is not tried again.',
    I4: 'A call over its time ends as timed out, with the tool and the milliseconds in the error.',
    I5: 'The time is a budget for the whole call and not for one try.',
    I6: 'The error in the record is the message as it was thrown.',
    I7: 'Three tools that fail in three ways do not fail the run.',
    I12: 'Delays between tries stay between the first and the largest delay, and grow.',
  }),
  // Stopping to ask, resume, persistence.
  ...rows('approvals', 'tested', 'agents', {
    J1: 'A tool that stops to ask rests the run with one event that holds the prepared arguments, nothing executed.',
    J2: 'An answer runs the tool once with it, and the run completes.',
    J3: "A refusal's note is in the result and read by the model.",
    J4: 'Without a function the answer is the result, and finalize may shape it.',
    J5: 'The plain calls of a step are done before the run rests.',
    J6: 'A run with two open questions goes on only when both are answered.',
    J7: 'An answer to an unknown call throws.',
    J8: 'A new process with the same store resumes where the killed one rested.',
    J9: 'A question inside nested flows holds up its own branch only, and finished branches do not run again.',
    J16: 'The store lists a hundred waiting sessions with tool, age and digest.',
  }),
  // Context and orchestration.
  ...rows('approvals', 'tested', 'agents', {
    K1: "A tool's context carries every key that the contract names.",
    K2: 'A change of state is an event in the log.',
    K3: 'A tool can end the run with its output, and later calls of the step do not run.',
    K4: 'A question inside a sub-agent shows the path of agents, and the parent waits.',
    K6: 'A spawned agent finishes while its parent rests, and its events are kept.',
  }),
  // Beyond both contracts.
  ...rows('approvals', 'tested', 'agents', {
    L15: 'An approval with an expiry ends exactly then, and a later answer does nothing.',
  }),
  ...rows('approvals', 'deferred', 'governance', {
    L1: 'Edited arguments are what runs, the model is told, and the event has both digests.',
    L8: 'A rule for a folder does not match a path that leaves it.',
    L10: 'A strict rule does not match a call with an argument that it does not name.',
    L11: 'A rule ends by its expiry and by its number of uses.',
    L13: 'A question that an administrator forces is asked in spite of a remembered approval.',
    L14: 'Approving a whole batch still asks for the destructive call.',
    L17: 'Where two people must approve, one is not enough and the same person cannot be both.',
    L18: "A token's largest class denies a stricter tool in every mode.",
    L20: 'A changed byte in the audit record is found at the record that holds it.',
    L23: 'Replaying decisions against a tightened rule lists exactly those that change.',
  }),
  ...differing('approvals', 'deviates', 'spine', {
    L6: [
      'Arguments that differ in the order of keys have one digest, and a number never shares one with a text.',
      'Texts are compared as they are: two forms of a letter are two texts, so that nobody approves one and runs the other.',
    ],
  }),
  ...rows('approvals', 'deferred', 'programs', {
    L27: 'A call that generated code makes is asked about on the same path, and no function goes around it.',
  }),
  // MCP, provider tools, test kit, surfaces.
  ...rows('approvals', 'deferred', 'mcp', {
    M1: "An MCP server's tool is asked about with the same request and digest as the application's own.",
    M2: 'Tools that a selection leaves out are never offered, and a call of one is refused.',
  }),
  ...rows('approvals', 'tested', 'agents', {
    M3: 'A tool that runs at the provider is hidden where the policy would have to ask, since no call can be held.',
  }),
  ...rows('approvals', 'tested', 'proof', {
    M6: 'The kit runs an agent over a script, and its finders return the one result.',
    M8: 'A script can give a result in place of running the tool.',
    M9: 'A script that runs out fails the test with a clear message and never hangs.',
    M10: 'A script with steps left over fails the test and lists them.',
  }),
  ...rows('approvals', 'tested', 'agents', {
    M7: 'A script answers two questions of one tool in order.',
  }),
  ...rows('approvals', 'deferred', 'governance', {
    M12: 'The command line lists, shows, approves, denies, edits and revokes, with stable exit codes and JSON.',
  }),
  ...rows('approvals', 'deferred', 'console', {
    M15: 'Enter on the open card of a destructive tool does not approve it.',
    M16: 'Markup in arguments is inert text on the card.',
  }),
]
