import { covered, coveredDiffering } from './covered.ts'
import { type Requirement, rows } from './requirement.ts'

const source = 'platform-tools'

/** Workspace files, runtime tools, integrations, api_call and uploads. */
export const platformTools: readonly Requirement[] = [
  // Where tools come from.
  ...rows(source, 'deferred', 'http', {
    'over-mcp':
      "Platform tools reach the agent over MCP from the run's sidecar and are not written into the prompt.",
    'sidecar-only-way':
      'What acts outside on behalf of the agent goes through the sidecar, and no credential is in the sandbox.',
  }),
  ...covered(source, {
    'retired-ids by integrations/B23':
      'A retired runtime tool is refused when written and dropped when stored.',
  }),
  // Sandbox tools.
  ...rows(source, 'deferred', 'workspace', {
    'file-tools': 'The model can read, write, edit, run commands, search, find and list in its workspace.',
    'inside-only': 'The file tools act inside the workspace only, whatever a path or a link says.',
    'read-truncated':
      'A read ends after 2,000 lines or 51,200 bytes, at a whole line, and says how to go on.',
    'read-range':
      'A file can be read from a line and for a number of lines, and a start beyond the end is an error.',
    'read-image': 'An image is read as an image, by its content.',
    'write-parents': 'Writing makes the folders it needs and reports the bytes that it wrote.',
    'edit-exact':
      'Edits all match the original, exactly once each, do not overlap, and leave the rest as it was.',
    'edit-fidelity': 'An edit keeps line ends and marks.',
    'command-tail': 'A command shows the end of its output and keeps the rest in a file.',
    'command-failure':
      'A command that fails or times out is an error with its output and code, and its children end.',
    'search-files': 'A search respects ignore files and bounds matches, lines and bytes.',
    'find-files': 'Files are found by pattern, up to a limit that is stated.',
    'list-folder': 'A folder is listed with hidden entries and marks for folders, up to a limit.',
    'write-order': 'Writes to one file come one after another.',
    python: 'The sandbox can bring Python with the packages that the contract names.',
    'outputs-folder': 'Files in the folder for outputs are delivered at the end of the run.',
    'budgeted-files': 'Results of the file tools are budgeted like all others.',
  }),
  // Runtime tools.
  ...covered(source, {
    'output-valid by integrations/I2': 'An output is delivered once and ends the run.',
    'output-invalid by integrations/I1': 'An output is checked by its schema.',
    'output-missing by integrations/I3': 'A run that forgot its output is asked for it once.',
    'note-limits by integrations/I7': 'The limits of notes are told and not applied silently.',
    'pin-key by integrations/I8': 'The key of a pin is checked in the call.',
    'history-fields by integrations/I6': 'The history gives a closed set of fields.',
    'history-limit by integrations/I6b': 'The history refuses what it does not know.',
    'platform-tools-required by integrations/I9': 'A sidecar brings the tools for memory and history.',
  }),
  ...rows(source, 'deferred', 'http', {
    'runtime-opt-in': 'No runtime tool is there unless the agent chose it.',
    'runtime-order': 'Runtime tools come in the order of choice, each once.',
    'output-schema-needs-tool': 'A schema for the output without the tool for it is a fault of the manifest.',
    'log-delivered': 'A log line has a level and a text and reaches the user at once.',
    'note-archived': 'A note goes into an archive that is searched and not into the prompt.',
    'pin-carried': 'A pin is carried into the prompt of later runs, and the last one of a key counts.',
    'publish-document': 'A file of the workspace can be published as a document of the run.',
    recall: 'The archive is searched by text, newest first, for the own actor and what is shared.',
    'history-read-only': 'Recent runs of the same agent and actor can be listed, without the current one.',
    'text-not-delivered': "The model's plain text is not delivered where tools deliver.",
    'events-not-forged': "A third party's tool cannot forge what the runtime tools deliver.",
  }),
  // Integrations and selection.
  ...covered(source, {
    'selection by integrations/B8': 'An agent selects tools by list, by default, all or none.',
    'selection-default by integrations/B6': 'A package declares its default tools.',
    'selection-wildcard by integrations/B13': 'Selecting everything must be allowed by the package.',
    'selection-empty-publish by integrations/B16':
      'An agent with a package and nothing to call cannot be published.',
    'selection-empty-boot by integrations/B17': 'A run with a package and nothing to call fails at boot.',
    'selection-unprefixed by integrations/B14': 'Selections use the plain names.',
    'selection-pair by integrations/B18': 'Either of call and upload selects both.',
    'scopes-inferred by integrations/B19': 'The scopes to ask for follow from the selected tools.',
    'scopes-implied by integrations/B20': 'Implied scopes are sound.',
    'login-hidden by integrations/B15': 'A login tool is never offered to an agent.',
    'hidden-tools by integrations/B10': 'A package can hide tools.',
    'source-kinds by integrations/B1': 'A package has one of three kinds of source.',
    'targets-required by integrations/B2': 'A package lists its targets or says that all are allowed.',
    'delivery-checked by integrations/B5': 'The delivery of a credential is checked at install.',
    'catalog by integrations/B9': 'The catalog of a package holds call and upload where they are declared.',
    'wildcard-default by integrations/B7': 'A default of everything needs its flag.',
    'unknown-auth by integrations/B22': 'A credential that does not exist gives no tool.',
  }),
  ...coveredDiffering(source, {
    'delivery-header by integrations/B4': [
      'A credential can be delivered in a header only.',
      'Other places may be supported where a service knows no header; nothing of them shows to the model either.',
    ],
  }),
  ...rows(source, 'deferred', 'http', {
    'selection-unavailable':
      'A selected tool that the server does not offer is reported, and the run goes on.',
    'package-dropped':
      'A package that cannot be used at the start is dropped with its reason, and one that fails later aborts the run.',
    'connection-choice':
      'Which connection a run uses follows a fixed order, and an ambiguity is an error that lists the candidates.',
    'credential-schema': 'A schema for credentials refers to nothing outside.',
  }),
  // Budget and spill.
  ...covered(source, {
    'inline-cap by integrations/G2': 'A result over the inline cap is spilled and linked.',
    'run-budget by integrations/G4': 'A run has a budget for results as a whole.',
    'token-estimate by integrations/G1': 'Tokens are estimated by length.',
    'spill-store by integrations/G8': 'The store for spilled results is bounded.',
    'spill-resources by integrations/G10': 'Embedded resources become files.',
    'spill-fetch-fails by integrations/G11': 'A link that cannot be fetched hurts nothing.',
    'budget-everything by integrations/G13': 'No tool escapes the budget.',
    'limits-configured by integrations/F25':
      'An operator tunes the limits, and a malformed one stops the start.',
    'spill-json by integrations/G3': 'A large JSON result is spilled.',
  }),
  ...rows(source, 'deferred', 'http', {
    'inline-default': 'The inline cap is 8,000 tokens and the budget of a run 100,000 by default.',
    concurrency: 'At most three calls of a run are out at once by default.',
    'spill-private':
      'A spilled result can be read by its own run only, and nothing tells a foreign one from none.',
    'spill-names': 'A spilled file has a safe name, an extension and a pointer with size and first line.',
  }),
  // Names.
  ...covered(source, {
    'namespace by integrations/A1': 'A namespace is made from the name of the package and cut.',
    'namespaced by integrations/A2': 'A tool is advertised under its namespace.',
    'namespace-numbered by integrations/A4': 'Equal namespaces are numbered.',
    'namespace-digit by integrations/A5': 'A namespace may begin with a digit.',
    'namespace-empty by integrations/A13': 'A namespace cannot be empty.',
    'call-per-auth by integrations/A9': 'Several credentials give a call tool each.',
    'auth-token by integrations/A6': 'A key of up to 17 characters stands in the name as it is.',
    'auth-token-long by integrations/A10': 'A long key stays accepted in selections.',
  }),
  ...rows(source, 'deferred', 'http', {
    'name-length': 'A whole name has at most 56 characters.',
    'upstream-names': 'Names of a server are cleaned, and those that become equal are numbered.',
    'first-party-wins': "A third party's tool never takes the place of a platform's.",
  }),
  // api_call.
  ...covered(source, {
    'call-injects by integrations/C1': 'A call gets its credential below the model.',
    'call-scheme by integrations/C3': 'A scheme and its credential are apart.',
    'call-encoding by integrations/C5': 'A credential can be encoded.',
    'call-empty-credential by integrations/C7': 'An empty credential is not sent.',
    'call-placeholders by integrations/C8': 'A placeholder that nobody fills refuses the call.',
    'call-form-placeholders by integrations/C10': 'Fields of a form are filled, and files are not.',
    'call-exfiltration by integrations/C12': 'A credential goes to a listed target only.',
    'call-header-names by integrations/C14': 'Names of headers are never filled.',
    'call-targets by integrations/D1': 'The target must match a listed pattern.',
    'call-targets-query by integrations/D2': 'A pattern matches the address and not its query.',
    'call-targets-literal by integrations/D3': 'Signs of a pattern are literal.',
    'call-targets-host by integrations/D4': 'Wildcards of a host stay in the host.',
    'call-targets-any by integrations/D6': 'A pattern for any host still binds the path.',
    'call-targets-normal by integrations/D7': 'Targets are normalised before they are matched.',
    'call-blocked-v4 by integrations/D10': 'Inner addresses are blocked however they are written.',
    'call-blocked-v6 by integrations/D11': 'Inner addresses of IPv6 are blocked.',
    'call-blocked-ranges by integrations/D15': 'Blocked ranges end where they should.',
    'call-unresolvable by integrations/D18': 'A name that does not resolve has its code.',
    'call-metadata by integrations/D20': 'No pattern opens the way to a metadata service.',
    'call-schemes by integrations/D22': 'Only web addresses are called.',
    'call-redirects by integrations/E1': 'Every hop is checked.',
    'call-redirect-keeps by integrations/E3': 'A hop inside the list keeps the credential.',
    'call-redirect-methods by integrations/E6': 'Methods change on redirects as the standard says.',
    'call-redirect-bodies by integrations/E7': 'Bodies are kept where the standard says.',
    'call-redirect-limit by integrations/E9': 'Ten redirects are followed.',
    'call-redirect-downgrade by integrations/E11': 'A redirect cannot drop to plain transport.',
    'call-cookies by integrations/E12': 'Cookies are kept for the run.',
    'call-refresh by integrations/E14': 'An expired credential is refreshed and the call replayed once.',
    'call-refresh-once by integrations/E15': 'A refresh that did not help is remembered.',
    'call-refresh-stream by integrations/E16': 'A stream is not replayed.',
    'call-body-json by integrations/F1': 'A body can be JSON.',
    'call-body-text by integrations/F2': 'A body can be text.',
    'call-body-invalid by integrations/F3': 'A body of another kind is refused.',
    'call-body-get by integrations/F4': 'A body is never dropped silently.',
    'call-headers by integrations/F5': 'Reserved headers are refused.',
    'call-form by integrations/F7': 'A body can be a form, within bounds.',
    'call-form-type by integrations/F8': 'The boundary of a form is its own.',
    'call-form-injection by integrations/F9': 'A form cannot be broken by a name.',
    'call-pinned by faults/F69': 'The address that was checked is the address that is called.',
  }),
  // Files in and out.
  ...covered(source, {
    'from-file-cap by integrations/F10': 'A file that is sent is capped, and more is an error of the tool.',
    'from-file-paths by integrations/F11': 'A file that is sent must be in the workspace and no link.',
    'to-file by integrations/F16': 'A response can go to a file and leave a descriptor.',
    'to-file-failure by integrations/F17': 'A failed response to a file is marked as failed.',
    'envelope-cap by integrations/F24': 'The envelope of a message is capped.',
    'binary-spilled by integrations/F23': 'A binary body is never shown or cut.',
    'text-shaped by integrations/F21': 'Text is known by its type.',
    'large-whole by integrations/F22': 'A large body is kept whole.',
    'status-line by integrations/F19': 'A result begins with the status of the service.',
  }),
  ...rows(source, 'deferred', 'http', {
    'from-file-by-runtime': 'The agent runtime reads the file, since the sidecar has no workspace.',
    'from-file-default': 'A file that is sent has at most 10 MiB by default and never more than 100 MiB.',
    'to-file-parents':
      'A response to a file makes the folders that it needs and refuses to leave the workspace or follow a link.',
    'status-zero': 'A status of zero means that the sidecar answered itself, before or after sending.',
    'failure-codes':
      'A failure of the shared vocabulary has its code in the line, in the descriptor and in the metadata.',
    'failure-vocabulary':
      'The seven codes mean what the contract lists, and the other ways to call answer the same.',
    'refusal-not-in-file': 'A refusal is never written to the file in place of a response.',
    'response-headers':
      'Response headers that guide the next call can be seen, and secrets among them cannot.',
    timeout: 'A call has 30 seconds by default and can be cancelled.',
    'hop-by-hop': 'A caller cannot set the headers of the connection.',
  }),
  // Uploads.
  ...covered(source, {
    'upload by integrations/H1': 'A file is uploaded in chunks and its digest returned.',
    'upload-google-parts by integrations/H2': 'Parts for Google are multiples of 256 KiB.',
    'upload-s3-parts by integrations/H5': 'Parts for S3 have at least 5 MiB.',
    'upload-failure by integrations/H7': 'A failed upload says how far it came.',
    'upload-microsoft by integrations/H8': 'Uploads for Microsoft follow their answers.',
    'upload-refused by integrations/H10': 'An upload that cannot work sends nothing.',
    'upload-chunk-refused by integrations/H11': 'A chunk passes the same checks as any call.',
    'upload-part-cap by integrations/H16': 'A part over the cap is refused early.',
    'upload-declared by integrations/B21': 'An upload exists only for a declared protocol that is known.',
  }),
  ...rows(source, 'deferred', 'http', {
    'upload-ceiling': 'A file of more than 100 MiB is refused whatever is set.',
    'upload-discarded': 'An upload that failed or was cancelled is discarded at the service.',
    'upload-streamed': 'A file is read as a stream and never held whole.',
    'upload-tus': 'The tus protocol creates, patches by offset and checks what the service stored.',
    'upload-microsoft-parts': 'Parts for Microsoft are multiples of 320 KiB and at most 60 MiB.',
    'upload-partial': 'A service that stored less of a chunk than was sent is noticed.',
  }),
  // Several connections.
  ...covered(source, {
    'connections-one by integrations/K1': 'One connection needs no parameter.',
    'connections-several by integrations/K2': 'Several connections make every tool ask for one.',
    'connections-unknown by integrations/K3': 'A wrong connection lists the right ones.',
    'connections-removed by integrations/K4': 'The parameter never reaches the service.',
    'connections-limit by integrations/K5': 'A run has at most twenty of a package.',
    'connections-own by faults/F70': 'Only the own connections exist.',
  }),
  ...rows(source, 'deferred', 'http', {
    'connections-apart': 'Cookies, failed refreshes and uploads of one connection never touch another.',
    'connections-labels': 'Labels are told apart, cleaned and never taken for instructions.',
    'connections-own-argument': "A tool's own argument of that name is not lost.",
  }),
  // Adding tools.
  ...covered(source, {
    'local-needs-container by integrations/J15':
      'A local server needs a container, or the word of the operator.',
    'local-bundle by integrations/J6': 'A bundle is bounded and stays in its folder.',
    'remote-refresh by integrations/J8': 'A remote server gets a fresh credential once.',
    'descriptions-cleaned by integrations/J2': 'What a server describes is cleaned of hidden signs.',
    'host-header by integrations/J1': 'The sidecar answers its own name only.',
    'proxy by integrations/J11': 'The way out of a sandbox is guarded.',
    'login-window by integrations/J14': 'A login shows its secret only while it lasts.',
    'secrets-scrubbed by integrations/J16': 'Secrets are scrubbed from what is logged and returned.',
  }),
  ...rows(source, 'deferred', 'mcp', {
    'remote-server': 'A package can point at a hosted MCP server over either transport.',
    'local-server': 'A package can bring an MCP server, which runs isolated, once for each connection.',
    'server-crash': 'A server that crashed makes its tools fail with a sentence, and comes back with pauses.',
    'schemas-too-large': 'A tool whose schema is too large is reported and not lost silently.',
  }),
]
