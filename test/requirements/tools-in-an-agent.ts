import { covered, coveredDiffering } from './covered.ts'
import { differing, type Requirement, rows } from './requirement.ts'

const source = 'tools-in-an-agent'

/** A tool's configuration and life inside an agent, stopping to ask, many agents and the test kit. */
export const toolsInAnAgent: readonly Requirement[] = [
  // Step 1: the configuration.
  ...coveredDiffering(source, {
    'known-keys by approvals/G3': [
      'A configuration has nine keys and no tenth.',
      'Ours has more keys, such as a class and an output schema; an unknown one is still refused.',
    ],
  }),
  ...rows(source, 'tested', 'spine', {
    'schema-refused-loudly':
      'A value that is no schema, or one that cannot be shown to a model, is refused when the tool is built.',
  }),
  ...covered(source, {
    'one-object by approvals/G2': 'One object makes a tool.',
    'prompt-to-model by approvals/G10':
      'Name, description and the described schema are what the model is given.',
    'zod-schema by approvals/G4': 'A Zod schema is read as the arguments of a tool.',
    'nothing-to-do by approvals/G1': 'A tool without anything to do does not build.',
    'provider-tools by approvals/M3': "An agent's tools may hold tools that run at the provider.",
    'mcp-tools by approvals/M1': "An agent's tools may hold an MCP server's tools.",
  }),
  // Step 2: parsing arguments.
  ...covered(source, {
    'coerced-first by approvals/G4': 'Arguments are coerced toward the schema before they are parsed.',
    'only-parsed by approvals/G7': 'A tool never sees arguments that did not parse.',
    'faults-to-model by approvals/G5':
      'Arguments that do not parse are a result that the model can correct, and no throw.',
    'unknown-tool by approvals/G9': 'A call of a tool that does not exist is answered by its name.',
  }),
  ...coveredDiffering(source, {
    'coercions by faults/F4': [
      'Texts become booleans and dates, and keys and enums match without regard to case.',
      'Ours coerces only without loss and lists what it changed; a guess could change what a person approves.',
    ],
  }),
  // Step 3: the context.
  ...differing(source, 'deviates', 'spine', {
    'execute-signature': [
      'A tool takes exactly one argument, its context.',
      'Ours takes the arguments first and the context second, as the ecosystem does; the context holds the same arguments.',
    ],
  }),
  ...rows(source, 'tested', 'spine', {
    'context-names-call': 'The context names the tool and the call.',
    'context-names-run': 'The context names the run, the agent and the session.',
    'context-signal': 'The context carries the signal of the run, for the own I/O of the tool.',
  }),
  ...covered(source, {
    'context-keys by approvals/K1': 'The context carries all that the contract lists.',
    'context-state by approvals/K2': 'The context reads and writes state, and a write is in the log.',
    'context-output by approvals/K3': 'A tool can end its run with an output.',
    'context-run by approvals/K4': 'A tool can run another agent and wait for it.',
    'context-spawn by approvals/K6': 'A tool can start another agent beside its own.',
  }),
  ...rows(source, 'tested', 'agents', {
    'context-dispatch': 'A tool can start another agent and forget it.',
    'context-outside': 'What changes the shape of a run throws when it is used outside one.',
    transfer: 'A tool that returns an agent hands the run over to it.',
  }),
  ...rows(source, 'tested', 'agents', {
    'run-options': 'Running another agent takes a message, a timeout and state for the time being.',
  }),
  ...differing(source, 'deviates', 'agents', {
    'context-call-alias': [
      'The former name of running another agent still works.',
      'A first release has no former names to keep.',
    ],
  }),
  // Step 4: prepare and finalize.
  ...rows(source, 'tested', 'spine', {
    'prepared-validated': 'What prepare returns is validated again before anybody is asked.',
    'prepare-throws': 'A throw in prepare fails the call and not the run.',
    'finalize-throws': 'A throw in finalize fails the call and never runs the tool again.',
  }),
  ...covered(source, {
    'prepare-replaces by approvals/H1': 'Prepare may replace the arguments.',
    'prepare-passes by approvals/H2': 'Prepare may leave the arguments alone.',
    'prepare-after-parse by approvals/H6': 'Prepare runs once, between parsing and running.',
    'finalize-replaces by approvals/H3': 'Finalize may replace what the model and the log get.',
    'finalize-passes by approvals/H4': 'Finalize may leave the output alone.',
    'finalize-plain-return by approvals/H5': 'Finalize runs after a plain return only.',
  }),
  // Step 5: timeouts, retries, failures.
  ...rows(source, 'tested', 'spine', {
    'timeout-aborts': 'A timeout aborts the signal of the running tool.',
    'timed-out-is-known': 'A call counts as timed out by its clock and never by the text of its error.',
    'one-key-all-tries': 'All tries of a call share one idempotency key.',
  }),
  ...covered(source, {
    'retry by approvals/I1':
      'A tool that throws is run again as its policy says, and the log has one result.',
    'retry-exhausted by approvals/I2': 'The last error is the result when the tries are used up.',
    'retry-predicate by approvals/I3': 'A predicate can end the retrying.',
    'retry-backoff by approvals/I12': 'Delays grow, are spread at random and stay in their bounds.',
    'timeout-whole-call by approvals/I5': 'The timeout is for all tries together.',
    'timeout-result by approvals/I4': 'A timeout is a result that says so, with the tool and the budget.',
    'throw-message by approvals/I6': 'The message of a throw is the error of the result.',
    'failures-survive by approvals/I7': 'Tools that fail leave the run alive.',
  }),
  // The order of calls, and hooks.
  ...covered(source, {
    'calls-in-order by faults/F15': 'The calls of one step run one after another, in their order.',
  }),
  ...rows(source, 'tested', 'agents', {
    'hook-before-tool': 'A hook before a tool can answer in its place.',
    'hook-order': 'Hooks run from the application inwards before a tool, and outwards after it.',
    'hook-kinds': 'Hooks stand around the agent, the model, the tool, the step and the turn.',
    'hook-arguments': 'A hook cannot change arguments after they were judged.',
    'error-handlers': 'Handlers of errors can skip, abort, retry, fall back or pass on, within a bound.',
  }),
  // Stopping to ask.
  ...covered(source, {
    'ask-rests by approvals/J1': 'A tool that asks a person lets its run rest, with no process that waits.',
    'ask-answered by approvals/J2': 'The answer runs the tool with its prepared arguments and the answer.',
    'ask-declined by approvals/J3': 'A refusal with a note reaches the model.',
    'ask-without-function by approvals/J4': 'The answer itself can be the result.',
    'ask-last by approvals/J5': 'Plain calls of the step go first.',
    'ask-all by approvals/J6': 'All questions of a step are answered before it goes on.',
    'ask-unknown by approvals/J7': 'An answer must name a question that is open.',
    'ask-survives by approvals/J8': 'A question survives the process.',
    'ask-in-flows by approvals/J9':
      'A question rests one branch of nested flows, whose state is rebuilt from the log.',
    'ask-listed by approvals/J16': 'The questions that are open can be listed from the store.',
  }),
  ...rows(source, 'tested', 'agents', {
    'ask-bad-arguments': 'A call with bad arguments asks nobody and tells the model to correct it.',
    'ask-bad-answer': 'An answer that does not parse is refused, and the question stays open.',
    'ask-second-answer': 'A second, different answer is refused aloud and does not replace the first.',
    'ask-full-pipeline': 'A resumed call has timeout, retry, hooks and control signals like any other.',
    'ask-structure-changed': 'A resume after the structure of the agents has changed is noticed.',
  }),
  ...rows(source, 'tested', 'agents', {
    'ask-message': 'An agent can rest until its user writes.',
  }),
  ...rows(source, 'tested', 'agents', {
    timers: 'A run can rest until a time and wakes by itself.',
    flows: 'Agents run in sequence, in parallel and in loops, with limits on failures and time.',
  }),
  // Log, state, stores.
  ...rows(source, 'tested', 'agents', {
    'state-scopes': 'State has scopes, from one step to the organisation.',
    'state-deletes': 'Setting a value of state to nothing deletes it.',
    'state-stays-inside': 'Changes of state can be kept from leaving the process.',
    'time-travel': 'State can be read, and a session forked, at any event.',
  }),
  ...differing(source, 'deviates', 'agents', {
    'turn-superseded': [
      'A turn that newer input overtook is skipped at its end, and says so.',
      'Ours takes up no newer input while a run is open: it is refused as RUN_OPEN, and nothing is thrown away.',
    ],
  }),
  ...rows(source, 'tested', 'spine', {
    'append-conditional': 'An append at a place that is already taken is refused, and nothing is written.',
  }),
  // Many agents and endings.
  ...rows(source, 'tested', 'agents', {
    'structured-output': "An agent's output can have a schema, and one that does not fit is an error.",
  }),
  ...rows(source, 'tested', 'agents', {
    statuses: 'A run ends in one of a closed set of statuses.',
  }),
  ...differing(source, 'deviates', 'agents', {
    limits: [
      'Steps, turns and time of a run are bounded, by default at 25 steps and 100 turns.',
      'Ours has no turns beside runs: it bounds steps (25), calls (1,280), and the time of a run where the developer says how long.',
    ],
  }),
  ...rows(source, 'deferred', 'mcp', {
    'mcp-config':
      'An MCP server is configured by transport, timeout, caches and lists of tools, and connects when first used.',
  }),
  ...rows(source, 'tested', 'proof', {
    'record-replay': 'A run can be recorded and replayed without its model and tools.',
  }),
  ...covered(source, {
    'mcp-selection by approvals/M2': "An MCP server's tools can be narrowed by name.",
  }),
  // The test kit.
  ...covered(source, {
    'kit-run by approvals/M6': 'A test runs an agent over scripted turns and finds its events by type.',
    'kit-input by approvals/M7': 'A test answers questions of tools.',
    'kit-result by approvals/M8': 'A test can give results in place of tools.',
    'kit-runs-out by approvals/M9': 'A script that is too short fails with a sentence.',
    'kit-left-over by approvals/M10': 'A script that is too long fails with a list.',
  }),
  ...rows(source, 'tested', 'proof', {
    'kit-model-faults': 'A scripted model can fail, delay and call several tools at once.',
    'kit-finders': 'Finders give the calls and the results of a run.',
    'kit-matchers': 'Matchers for common expectations come with the kit.',
    'kit-evaluate': 'A set of cases can be run against an agent with a judge, retries and a report.',
  }),
]
