import { covered, coveredDiffering } from './covered.ts'
import { differing, type Requirement, rows } from './requirement.ts'

const source = 'tools-and-approvals'

/** Defining tools, classes, modes and approvals, with the figures on decisions, scopes and layers. */
export const toolsAndApprovals: readonly Requirement[] = [
  // Define a tool.
  ...rows(source, 'tested', 'spine', {
    'parameters-json-schema':
      'A tool may declare its parameters as a plain JSON Schema, all of which the model is sent.',
    'arguments-typed': "The type of a tool's arguments follows its schema when the program is compiled.",
    'context-describes-call': 'A tool receives a context beside the arguments that describes the call.',
  }),
  ...covered(source, {
    'runs-here by approvals/B1': 'A declared tool runs in the process of the application.',
    'sync-or-async by approvals/B6': 'A tool may answer at once or with a promise.',
    'result-string by approvals/B1': 'A text result is what the model reads.',
    'result-nothing by approvals/B2': 'No result is an empty text for the model.',
    'result-json by approvals/B3': 'A result of another kind is JSON for the model.',
    'throw-continues by approvals/B5':
      'A throw does not end the turn, and the model reads its message after a prefix.',
  }),
  // Arguments are checked first.
  ...differing(source, 'deviates', 'spine', {
    'arguments-required': [
      'A required argument must be there and not null.',
      'A property whose schema names null may be null even when it is required; otherwise it could never be sent.',
    ],
  }),
  ...rows(source, 'tested', 'spine', {
    'arguments-type': 'An argument must have the type, or one of the types, that its schema names.',
    'arguments-enum': 'An argument with an enum must have one of its values.',
    'arguments-closed': 'A schema that allows no other properties refuses every other argument.',
    'arguments-not-json': 'Arguments that are not a JSON object fail the check.',
    'arguments-error-text':
      'A failed check tells the model, after a fixed prefix, what is wrong with its arguments.',
  }),
  ...covered(source, {
    'arguments-before-asking by approvals/D12': 'The check comes before anybody is asked.',
    'arguments-uncoerced by approvals/A4': 'Arguments for a plain JSON Schema are not coerced.',
  }),
  ...coveredDiffering(source, {
    'arguments-top-level by approvals/A15': [
      'The check looks at the top level and leaves nested values and other keywords to the tool.',
      'Ours checks every level and keyword, so that no tool runs with arguments that its schema forbids.',
    ],
  }),
  // Tool classes.
  ...rows(source, 'tested', 'spine', {
    'class-missing':
      'A tool to which nobody gave a class counts as destructive wherever a policy is in force.',
    'class-missing-bare':
      'A tool of the developer without a class simply runs in an agent that has no contract, profile, mode or handler.',
    'class-by-arguments':
      'A tool whose class depends on its arguments is offered by the loosest class and judged by the real one.',
  }),
  ...covered(source, {
    'class-order by approvals/C14': 'The five classes are in one order from harmless to destructive.',
    'contract-stricter by approvals/C1': "The contract's class is used where it is the stricter one.",
    'contract-never-looser by approvals/C2': 'The contract cannot loosen the class of a tool.',
    'contract-gives-class by approvals/C3': 'The contract gives a class to a tool that has none.',
    'contract-hides by approvals/C5': 'A contract with entries hides every tool that it does not list.',
    'contract-empty by approvals/C6': 'A contract without entries restricts nothing.',
    'tools-with-classes by approvals/C1': 'A started agent lists its tools with the classes in force.',
  }),
  // The app manifest.
  ...covered(source, {
    'manifest-lists by approvals/F1': 'At the start the server hears of every tool and its declared class.',
    'manifest-informs by approvals/F4': 'The manifest informs and changes no right.',
    'manifest-off by approvals/F2': 'No manifest goes out when events are not reported.',
    'manifest-harmless by approvals/F3': 'A manifest that is refused leaves the start alone.',
  }),
  ...rows(source, 'deferred', 'governance', {
    'manifest-review':
      'An administrator can take new tools from the manifest into the contract, and until then they are held back.',
    'describe-app':
      'An application can describe its name, version, context, greeting and suggestions in the manifest.',
  }),
  // Tool modes.
  ...rows(source, 'tested', 'spine', {
    'mode-monotone':
      'A wider mode is never stricter with a class, and a stricter class never freer in a mode.',
  }),
  ...covered(source, {
    'mode-per-session by approvals/C12':
      'Each session has a mode that can be set at any time and holds from the next turn.',
    'mode-order by approvals/C14': 'The four modes are in one order from narrow to wide.',
    'mode-decides by approvals/C14':
      'Mode and class together say run, ask or hidden, and anybody can look it up.',
    'mode-default by approvals/C9': 'Sessions start in ask.',
    'mode-default-narrows by approvals/C10': "The builder's default mode can only be stricter than ask.",
    'mode-at-start by approvals/C11': 'A session can be started in a mode of its own.',
    'mode-effective by approvals/C11':
      'A session shows the mode that its turns run in, narrowed by the profile.',
    'hidden-not-offered by approvals/C7': 'A hidden tool is not in what the model is offered.',
    'hidden-refused by approvals/C7':
      'Calling a hidden tool ends in a refusal of category mode that the model reads.',
    'mode-off by approvals/C8': 'In mode off there is nothing to call.',
  }),
  ...rows(source, 'deferred', 'governance', {
    'profile-default-mode': 'A profile can make the mode that sessions start in stricter.',
    'mode-admin-limit': 'An administrator can narrow the modes that a person may pick.',
  }),
  // Approvals.
  ...rows(source, 'tested', 'spine', {
    'request-fields':
      'An approval request names the tool, its class, where it comes from, the session and the exact arguments that will run.',
    'one-outcome': 'Every call ends in exactly one outcome.',
    'check-stricter':
      "A tool's own check sees the prepared arguments and can only make the verdict stricter; its throw is a denial.",
  }),
  ...covered(source, {
    'handler-function by approvals/D2': 'The handler may be a function, and its approval lets the call run.',
    'handler-object by approvals/D9': 'The handler may be an object with a method.',
    'handler-absent by approvals/D1': 'No handler means that each question is answered with no.',
    'decision-session by approvals/D4': 'A decision can hold for the rest of the session.',
    'decision-deny by approvals/D3': "A decision can deny with a reason for the model's eyes.",
    'decision-plain by approvals/D6': 'A decision is a plain object.',
    'decision-bad by approvals/D7': 'An answer of another shape is a no.',
    'handler-throws by approvals/D8': 'A handler that fails is a no and not the end of the turn.',
    'signal-on-stop by approvals/D10': 'Stopping a turn aborts the signal and ends the waiting.',
    'bound-to-call by faults/F31':
      'A decision holds for the exact tool and arguments that were shown, and for nothing else.',
    'no-own-limit by approvals/D11': 'Waiting for an approval has no end of its own.',
  }),
  // Server tools that ask.
  ...covered(source, {
    'gateway-same-handler by approvals/E1': "A server's question reaches the one handler and is marked.",
    'gateway-answer by approvals/E2': 'Its answer travels back to the server.',
    'gateway-limit by approvals/E3': 'The server waits for a limited time and then does not run the call.',
    'gateway-no-handler by approvals/E6': 'Without a handler the server does not wait at all.',
  }),
  // Approvals in a chat.
  ...rows(source, 'deferred', 'console', {
    'chat-cards':
      'A chat panel shows each question as a card in the conversation, by a handler that is ready made.',
  }),
  // Tools from other sources.
  ...covered(source, {
    'source-asked by approvals/F5': 'A source is asked when the agent starts, and knows client and profile.',
    'source-disposed by approvals/F6': 'A source that can be disposed of is, with its agent.',
  }),
  ...rows(source, 'deferred', 'governance', {
    'source-shadowed': "Where a source brings a name that the application has, the application's tool stays.",
  }),
  // Classes from hints.
  ...rows(source, 'deferred', 'mcp', {
    'hints-to-class':
      "A trusted server's hints give a class to a tool that has none, pessimistic where they are silent.",
    'hints-only-raise': "An untrusted server's hints can only make a class stricter.",
    'hint-idempotent': 'The hint that a tool is idempotent permits a retry and never changes the class.',
  }),
  // Qualities and scopes of decisions.
  ...covered(source, {
    'rule-path by approvals/L8': 'A rule on paths compares what a path resolves to.',
    'rule-strict by approvals/L10': 'A rule names every argument that matters, unless it says otherwise.',
    'rule-ends by approvals/L11': 'A rule can end by time and by use.',
    'remembered-only-eases-ask by approvals/L13':
      'A remembered approval eases a question and never a denial or a forced question.',
    'edit by approvals/L1':
      'A person can change the arguments before approving, and everything is judged again.',
    'expiry by approvals/L15': 'A question can have an end, after which it counts as denied.',
    'two-person by approvals/L17': 'A question can need two people.',
    'batch by approvals/L14':
      'The questions of one step can be answered together, save for destructive ones.',
    'audit-chain by approvals/L20': 'The audit record is chained, so that a change shows.',
    'replay by approvals/L23': 'A recorded session can be judged again under a changed policy.',
    'grant-layer by approvals/L18': 'A token can narrow tools, class, arguments and time.',
    'digest-canonical by approvals/L6':
      'The digest that binds a decision is the same for equal arguments only.',
  }),
  ...rows(source, 'deferred', 'governance', {
    'qualities-combine':
      'Qualities of a verdict, such as remembering, approvers and expiry, combine to the stricter value.',
    'session-approval-ends':
      'An approval for a session ends when its mode is narrowed, the class is raised or the tool changes.',
    'deny-scopes':
      'A denial can be remembered for a session or by a rule, and beats an approval of the same or a wider scope.',
    'rule-predicates':
      'A rule compares arguments by a closed set of predicates without code, and a missing field does not match.',
    'rule-hosts': 'A rule on hosts compares whole labels in their encoded form.',
    'rule-suggestions': 'A request suggests rules from narrow to wide, and none wider than the class allows.',
    'remember-capped':
      'Each tool caps how long an approval is remembered, and a wish beyond it is cut to once and says so.',
    'request-superset':
      'A request carries preview, reasons by layer, allowed answers, suggestions, siblings and expiry.',
    'decision-superset':
      'A decision can carry a scope, edited arguments, a delegate, a stop, who decided and a signature.',
    'decision-by': 'The record of a decision says who decided, how, when and why.',
    delegation:
      'A question can be handed to a named reviewer or group, and its asker cannot approve where duties are separate.',
    'deny-and-stop': 'A denial can stop the whole turn.',
    'kill-list': 'An operator can deny a tool, a server or a person at once and everywhere.',
    'tenant-rules': 'An administrator can ask or deny by arguments and by budget.',
    'layer-unreachable': 'A layer of policy that is unknown or cannot be reached denies.',
    'widening-explicit': 'Nothing but a new contract or grant ever widens what may run.',
    'judged-again': 'All layers are judged again after an edit, a resume and a long wait.',
    'tool-changed-while-waiting':
      'A tool that changed while its question was open makes the question void and is asked about again.',
    explain: 'For any call the verdict of every layer and its reason can be read.',
    'private-rules': 'The text of a private rule never reaches the model.',
    fatigue: 'Equal questions are merged, and after three denials of a tool the turn stops asking about it.',
    'first-answer-wins': 'The first valid answer counts, and a later one learns who decided and when.',
  }),
  ...rows(source, 'tested', 'agents', {
    'parent-layer': 'A sub-agent may never do more than its parent.',
  }),
  ...rows(source, 'tested', 'agents', {
    'wait-then-suspend': 'A handler can wait for a while and then let the run rest.',
  }),
  // What the approver sees.
  ...covered(source, {
    'safe-focus by approvals/M15':
      'The focus of a card is on the safe answer, and no single key approves a strong one.',
    'inert-arguments by approvals/M16': 'Arguments are shown as inert text.',
    'command-line by approvals/M12': 'Questions can be answered from the command line.',
    'answer-elsewhere by approvals/M13': 'A question can be answered by another process.',
  }),
  ...rows(source, 'deferred', 'console', {
    'card-shows-what-runs':
      'A card shows the final arguments, what preparation changed in them, and a difference for writes.',
    'card-says-why': 'A card says in a sentence what the call does and which layer asks.',
    'card-edit-form':
      'A card offers a form made from the schema, checked while typing, with the changes marked.',
    'card-expiry': 'A card counts down to its expiry and explains a click that came too late.',
    'cards-close': 'Stopping the turn closes all of its cards at once.',
    'card-accessible': 'A card works by keyboard and screen reader, and needs no colour to be understood.',
    'hidden-characters':
      'Control and direction characters are made visible, and long values are folded with length and digest.',
  }),
]
