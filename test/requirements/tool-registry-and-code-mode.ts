import { covered, coveredDiffering } from './covered.ts'
import { differing, type Requirement, rows } from './requirement.ts'

const source = 'tool-registry-and-code-mode'

/** The registry, exposure, programs, standard tools, MCP and attachment. */
export const toolRegistryAndCodeMode: readonly Requirement[] = [
  // Defining and selecting.
  ...rows(source, 'deferred', 'programs', {
    'without-agent-loop': 'The registry, programs, workspace and MCP work without our agent loop.',
    'definition-names': 'A tool is known by the name in its definition and by no other.',
    'schemas-derived':
      'The schemas of a tool are derived from its function, and unknown arguments are refused.',
    'definition-kinds': 'A definition is a function, a freeform text, a namespace or a search.',
    'freeform-input': 'A tool can take one text with a grammar in place of JSON.',
    'output-parts':
      'An output has a body of text or items, a success flag, a structured result, metadata and a trace.',
    'structured-to-program': 'A program gets the structured result, or a text as a text.',
    'tool-context': 'A tool sees model, session, call, turn, history and budget, read only.',
    'input-shapes': 'An input of the wrong shape is refused with a text that names the tool.',
    'unknown-calls': 'An unknown tool is refused by name, directly and from a program.',
    rebuild: 'A recipe that is opened again is checked again as a whole.',
    'late-collisions': 'A name that collides after the build is skipped with a warning.',
    'builder-knobs':
      "A recipe sets the children's environment, the working folder, the shell and the session.",
  }),
  ...differing(source, 'deferred', 'programs', {
    macro: [
      'A macro makes a tool from a function.',
      'TypeScript has no macros: a schema library gives the types and the schemas of a function.',
    ],
  }),
  ...covered(source, {
    'duplicate by registry/1': 'A name is registered once.',
    'normalized-collision by registry/2': 'Two names with one identifier do not build.',
    'name-grammar by registry/4': 'Public names keep to their grammar.',
    'reserved by registry/6': 'The names of the entry points cannot be taken.',
    'builtin-names by registry/7': 'A built-in name is free only without built-ins.',
    'provider-names by registry/8': "Providers' names are checked like any others.",
    'one-workspace by registry/10': 'A second workspace is refused.',
    'blank-overrides by registry/11': 'Overrides cannot be blank.',
    'workspace-root by registry/12': 'A workspace brings its root.',
    'order-free by registry/14': 'The order of registration does not matter.',
    'providers-start-once by registry/15': 'Discovery starts with its owner and once.',
    'builtin-off by registry/24': 'A built-in can be off.',
    'serial-by-default by registry/80': 'A tool is serial unless it says that it may overlap.',
    'handler-errors by registry/84':
      'An error of a handler is a visible failure, and a crash hides its text.',
  }),
  // Exposure.
  ...covered(source, {
    'code-only-default by registry/16': 'Ordinary tools are reached through programs by default.',
    'direct-and-code by registry/17': 'Ordinary tools can be shown directly as well, with their declaration.',
    'per-tool by registry/18': 'One tool can have another exposure than the rest.',
    'namespaces by registry/19': 'Names with a namespace are grouped under it.',
    'deferred-guidance by registry/21': 'Deferred tools are mentioned without their schemas.',
    'all-tools by registry/50': 'A program can list what it can call by name and description.',
  }),
  ...rows(source, 'deferred', 'programs', {
    'exposure-not-dispatch': 'Exposure changes what a model sees and never what a call does.',
    'namespaced-call': 'A call that comes back with its namespace reaches the same tool.',
    'stable-prefix': 'Activating deferred tools does not change what the model was sent.',
    'tool-schema': 'A program can read the schemas of a tool by either name.',
    'missing-tool': 'A call of a tool that is not there rejects inside the program and dispatches nothing.',
    'search-not-nested': 'The search cannot be called from a program.',
    'description-bounds': 'The descriptions that a model is sent are bounded.',
  }),
  // Rendering schemas.
  ...covered(source, {
    'render-object by registry/25': 'Objects render sorted, with comments and optional marks.',
    'render-union by registry/26': 'Unions of types render as such.',
    'render-open by registry/27': 'Open and closed objects are told apart.',
    'render-reference by registry/28': 'Local references and tuples are rendered.',
    'render-intersection by registry/32': 'Intersections keep their unions together.',
    'render-names by registry/33': 'Names are quoted and normalised.',
    'render-budget by registry/34': 'Rendering is bounded.',
    'render-mcp by registry/35': 'Results of MCP share one type.',
  }),
  ...rows(source, 'deferred', 'programs', {
    'render-recursion':
      'A reference is expanded twice on a path and 32 times in all, and is unknown after that.',
  }),
  // The search.
  ...covered(source, {
    'search-words by registry/111': 'Words are split at signs and at changes of case.',
    'search-rank by registry/112': 'Tools are ranked by how well the words fit them.',
    'search-result by registry/113': 'A result can be loaded by the provider.',
  }),
  ...rows(source, 'deferred', 'programs', {
    'search-arguments': 'A search takes words and a limit of 8 by default and 32 at most.',
    'search-waits':
      'A search waits for servers that are starting, up to a bound, and names those that are not there.',
    'search-activates': 'What a search found can be called directly and from programs.',
    'search-sources': 'The description of the search lists its sources within 4,096 bytes.',
  }),
  // Programs.
  ...covered(source, {
    'output-truncated by registry/37': 'Output over the budget loses its middle.',
    'output-mixed by registry/39': 'Images are never cut.',
    'output-joined by registry/40': 'Texts are cut as one.',
    'output-kept by registry/41': 'A failure keeps the output so far.',
    'text-values by registry/43': 'Values are shown as texts, and those that cannot be are errors.',
    'notify by registry/44': 'A program can notify.',
    'store by registry/45': 'A program can keep values for later ones.',
    'store-refused by registry/46': 'Only plain values can be kept.',
    'fresh-globals by registry/48': 'Each program starts fresh.',
    'isolation by registry/49': 'A program has nothing of its host.',
    'no-argument by registry/51': 'An argument may be left out.',
    'image by registry/52': 'A program can show images from data only.',
    'timers by registry/57': 'Timers work and do not keep a program alive.',
    'yield by registry/59': 'A program can rest with its output so far, and be waited for.',
    'yield-several by registry/60': 'Several programs can rest at once.',
    'yield-pending by registry/61': 'A program can rest while its calls go on.',
    'terminate by registry/62': 'A resting program can be ended.',
    'gone by registry/64': 'A program that is gone is named as such.',
    'busy-killed by registry/65': 'A program that never rests can be killed.',
    'cancel-clean by registry/66': 'Cancelling leaves nothing behind.',
    'yield-exact by registry/70': 'The time to rest is kept whatever the program waits for.',
    'wait-arguments by registry/72': 'The arguments of waiting are checked.',
    'yield-grace by registry/73': 'A long time to rest has a grace.',
    'turn-cancel by registry/75': 'The end of a turn ends its programs.',
    'nested-overlap by registry/78': 'Calls of a program overlap.',
    'nested-observed by registry/79': 'Calls of a program are reported in order.',
    'nested-bound by registry/82': 'Calls of a program are bounded at 128 at once.',
    'nested-failure by registry/83': 'A failed call rejects and is recorded as failed.',
    'nested-gate by approvals/L27': 'A call of a program passes the same gate as any other.',
  }),
  ...rows(source, 'deferred', 'programs', {
    pragma: 'A first line can set the time to rest and the budget of a program, and faults in it are named.',
    'blank-program': 'A blank program is refused without using up an id.',
    'wait-observer':
      'One observer at a time waits for a program, and output of one that left is kept for the next.',
    'wait-budget': 'Each wait has a budget of its own.',
    'completion-wins': 'A program that completed is not turned into a terminated one.',
    'store-merged':
      'What a program stored is merged when it ends, by error too, and lost when it is terminated.',
    'engine-limits': 'Memory, stack and time of a program are bounded.',
    exit: 'A program can end early as a success, and cannot stop that by catching.',
    'async-faults':
      'An error in a timer or in a promise that nobody awaited is shown and kills nothing else.',
    'pending-at-end':
      'A call that was still out when its program ended is reported as unknown and not to be repeated.',
    audio: 'A program can emit audio from data.',
    'result-header': 'A result begins with status and wall time.',
    'shell-notice': 'A result says which shells are still running and how to go on with them.',
    'truncation-count': 'The count of lost tokens follows the formula of the contract, at whole characters.',
    interrupted: 'A program that was running at a crash ends as interrupted, and one that rested can go on.',
    'embedded-host': 'Another host can run the programs, with its own cells, updates and mode.',
    'embedded-no-cells': 'A host without resting programs says so when it is asked to wait.',
  }),
  // Standard tools.
  ...covered(source, {
    'shell-redaction by registry/86': 'Secrets of the environment never show in output.',
    'shell-stdin by registry/87': 'Input to a command needs a terminal, save for the interrupt.',
    'shell-tty by registry/88': 'A command can have a terminal.',
    'shell-background by registry/90': 'Children in the background do not hold a command.',
    'shell-retained by registry/92': 'Resting commands are kept without a cap until they are collected.',
    'shell-capture by registry/93':
      'What a command prints between looks is kept within 1 MiB, from both ends.',
    'shell-arguments by registry/94': 'Arguments of a command are checked before it starts.',
    'shell-choice by registry/95': 'The shell is chosen by name or falls back.',
    'shell-result by registry/96': 'A result is exact in both forms.',
    'patch by registry/98': 'A patch can do several things to several files.',
    'patch-lenient by registry/99': 'A wrapped patch applies.',
    'patch-match by registry/100': 'Lines match exactly, then by blanks, then by normalised signs.',
    'patch-faults by registry/101': 'Faults of a patch name the line.',
    'patch-in-program by registry/102': 'A patch rejects or gives an empty object to a program.',
    'plan by registry/105': 'A plan has steps with states.',
    'view-image by registry/106': 'An image can be looked at in high or original detail.',
    'image-sizes by registry/107': 'Images are resized to bounds and cached.',
    'secret-variables by integrations/J9': "A child's environment is without what looks secret.",
  }),
  ...rows(source, 'deferred', 'workspace', {
    'workspace-source': 'A workspace brings the standard tools rooted at its folder.',
    'shell-yield': 'A command rests after 10 seconds by default, between 250 ms and 30 seconds.',
    'shell-group': 'The whole group of a command is ended with it, after a short drain.',
    'shell-sensitive': 'The withheld variables can be read by a host that wants to restore some.',
    'shell-normalised': 'The environment of a command has no colour, no pager and one locale.',
    'shell-poll': 'A poll of a resting command waits 5 seconds by default and up to 5 minutes.',
    'patch-atomic': 'A patch applies as a whole or not at all, inside its folder only.',
    'patch-no-overwrite': 'Adding a file never overwrites one.',
    'patch-fidelity': 'Line ends, marks and the last line of a file stay as they were.',
    'image-placeholders': 'An image that cannot be shown is replaced by a text that says why.',
    'web-and-images': 'Search on the web and making images are built-ins that can be off, and never attach.',
    'narrow-runtime': 'The workspace tools can be used without programs, MCP or a network client.',
  }),
  ...differing(source, 'deferred', 'workspace', {
    'shell-unbounded': [
      'The operating system alone bounds the processes of a workspace.',
      'A sandbox bounds them as well where there is one; no running command is ever dropped for another.',
    ],
  }),
  // MCP.
  ...covered(source, {
    'mcp-config by registry/108': 'Faults in the configuration of a server are found at build time.',
    'mcp-parallel by registry/118': 'Tools of a server overlap only where it is known to be safe.',
    'mcp-shared by registry/119': 'Calls share a client.',
    'mcp-off-at-first by registry/122': 'A server can be left alone until it is enabled.',
    'mcp-turn by registry/123': 'A server learns of the turn.',
    'mcp-failed-result by registry/117': 'A failed result is kept whole.',
    'mcp-list-changed by faults/F42': 'A list that changed is fetched again.',
    'mcp-pending by faults/F43': 'A server that starts slowly is pending and not empty.',
    'mcp-process-group by faults/F40': "A server's processes end with its client.",
    'mcp-environment by integrations/J9': "A server's process does not get the secrets of the host.",
  }),
  ...coveredDiffering(source, {
    'mcp-result by registry/115': [
      'Structured content stands for the whole result.',
      'The model gets both halves, because servers put different things in them.',
    ],
  }),
  ...rows(source, 'deferred', 'mcp', {
    'mcp-transports': 'Servers are reached over standard streams and over streamable HTTP.',
    'mcp-starts': 'Handshakes begin with the runtime, all at once, and one that fails fails alone.',
    'mcp-timeouts': 'Starting has 30 seconds and a call 300 by default.',
    'mcp-pagination':
      'A list has at most 100 pages, 2,048 items, cursors of 64 KiB and 30 seconds, and no cursor twice.',
    'mcp-names': 'Names are bounded at 128 bytes, and those that collide get a stable suffix.',
    'mcp-exposure': 'Each server is deferred, in programs, both or hidden.',
    'mcp-lists': 'Tools of a server can be enabled and disabled by name, and disabling wins.',
    'mcp-reload': 'A server can be reloaded, and a reload that fails keeps the old tools.',
    'mcp-cancel': 'A call that is cancelled or times out is cancelled at the server.',
    'mcp-elicitation': 'A server that needs input asks a person and can take the question back.',
    'mcp-session-lost': 'A session that the server forgot is opened again once.',
    'mcp-oauth': 'Logins are kept by the caller, refreshed in time and saved when they change.',
    'mcp-redirects': 'A server is followed to its own origin only.',
    'mcp-structured': 'A program gets the whole result of a server.',
    'mcp-payment': 'A server that asks for a payment is paid once or not at all.',
  }),
  // Attachment.
  ...covered(source, {
    'attach-target by registry/124': 'A target is checked, and its bearer is secret.',
    'attach-start by registry/125': 'Attaching can be started or waited for.',
    'attach-life by registry/126': 'A call is answered, acknowledged and drained.',
    'attach-cancel by registry/128': 'A call that was cancelled underway is ambiguous.',
    'attach-detach by registry/130': 'Detaching finishes what is out.',
    'attach-strict by registry/132': 'Frames are strict.',
    'attach-identifiers by registry/133': 'Identifiers are bounded.',
    'attach-violations by registry/134': 'A violation of the protocol ends the attachment for good.',
    'attach-machine by registry/137': 'A machine is described within bounds.',
  }),
  ...rows(source, 'deferred', 'programs', {
    'attach-recipe': 'Attaching takes the whole recipe, and its catalog never changes.',
    'attach-sources': 'Only sources with an executor of their own attach, and built-ins of the model do not.',
    'attach-before-socket': 'Faults of discovery come before a socket is opened.',
    'attach-heartbeat': 'A ping every 20 seconds must be answered within 10.',
    'attach-reconnect': 'A lost connection comes back with growing pauses, and a refused bearer does not.',
    'attach-deadline': 'A call that cannot start in time is unavailable, and one that started is ambiguous.',
    'attach-output-budget': 'An output over its bytes is a failure that says so.',
    'attach-receipts': 'A result is kept until it is acknowledged.',
    'attach-events':
      'Events of an attachment may be dropped and never slow it down, and its status is what counts.',
    'attach-last-handle': 'The last handle that is dropped detaches.',
    'attach-no-sync': 'Attaching and detaching never copy or merge files.',
  }),
  // The surface.
  ...rows(source, 'deferred', 'programs', {
    'small-root':
      'The root of the package holds the ordinary path only, and each special part has its own door.',
    'optional-parts': 'Heavy parts are not loaded by those who do not use them.',
  }),
]
