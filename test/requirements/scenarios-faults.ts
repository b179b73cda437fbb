import { differing, type Requirement, rows } from './requirement.ts'

/** Faults seen in other tool runtimes. */
export const faultScenarios: readonly Requirement[] = [
  // Schemas and arguments.
  ...rows('faults', 'tested', 'spine', {
    F6: 'Empty arguments count as an empty object where the schema takes one, and are a repairable error elsewhere.',
    F7: "A streamed call runs only after the provider's end marker, and never from an answer that was cut short.",
    F9: 'Tools named like inherited members of objects are usable and governed like any other.',
    F15: 'When an answer calls one tool twice, each call runs, and the order is kept.',
    F16: 'Each call has an id of ours, so that results of calls with one provider id are never swapped.',
  }),
  ...differing('faults', 'deviates', 'spine', {
    F18: [
      'A call that a model repeats in one answer with the same arguments does not repeat its effect.',
      'The default tells the model of its repetition instead of sharing one result, so that it cannot pass unseen; a tool may choose to share.',
    ],
  }),
  ...rows('faults', 'tested', 'spine', {
    F54: 'Large values are kept apart from the history, and one that is too large is a named, final error.',
    F51: 'One place caps every result, cuts between characters, and hands out a handle to the rest.',
    F4: 'Coercion can be turned off, is only ever lossless, is listed in the record, and is validated again.',
    F1: "A schema's root keywords, definitions included, are kept as written and enforced.",
    F3: 'A reference that leads nowhere is refused when the tool is registered, by its pointer.',
    F10: 'Only own properties count as present, and no pattern can stall the process.',
    F12: 'A schema that is too deep or too large is an error, and no member of it is dropped silently.',
  }),
  ...rows('faults', 'tested', 'proof', {
    F13: 'Free-form objects stay free, and null is taken away only where absence is what the schema means.',
    F21: 'Two names that become equal when cut are told apart or refused.',
    F22: 'Every tool that is listed can be called by the listed name.',
  }),
  ...rows('faults', 'deferred', 'mcp', {
    F19: 'A request whose id is zero or empty can be cancelled like any other.',
  }),
  // Approvals and policy.
  ...rows('faults', 'tested', 'spine', {
    F24: 'The gate stands on every path on which a call can come.',
    F27: 'A run that rested for an approval resumes after a kill, at once, with large state, and runs exactly once.',
    F28: 'Two approvals in a row each send their own result once.',
    F31: 'A remembered approval never beats a refusal, and holds for one tool of one source only.',
    F33: 'An effect is in the record before the next model call, so that a failing model neither loses nor repeats it.',
    F34: 'Three questions at once have three ids, can be answered in any order, and run nothing twice.',
    F37: 'Calls that are approved one after another all keep their results.',
  }),
  ...rows('faults', 'deferred', 'programs', {
    F25: 'What is refused directly is refused from a program too.',
  }),
  ...rows('faults', 'tested', 'spine', {
    F30: 'Every part of the state survives being written and read.',
  }),
  ...rows('faults', 'tested', 'agents', {
    F36: 'A question inside a sub-agent surfaces with its path.',
  }),
  // MCP.
  ...rows('faults', 'deferred', 'mcp', {
    F39: 'A server on standard streams ends with its client, even when the client is killed.',
    F40: 'A grandchild of a server that ignores the polite signal is gone within the grace time.',
    F42: 'A changed list is taken up, and a tool that was disabled is refused as well as hidden.',
    F43: 'A server that is slow to list shows as pending and its tools appear later.',
    F45: 'Refreshing a rotating token happens once at a time across processes, and never deletes a newer token.',
    F46: 'Metadata of a server cannot steal a secret or reach an inner address.',
    F48: 'Results with an error flag, with only structured content, with primitives or with links are all accepted.',
    F49: 'An image keeps its type, is capped, and is spilled when big.',
  }),
  // Results and size.
  ...rows('faults', 'tested', 'spine', {
    F52: 'Circular, hostile and undefined results have a defined encoding and never crash a run.',
  }),
  ...rows('faults', 'tested', 'proof', {
    F55: 'A malformed list of messages stops at its first bad part with a bounded error.',
  }),
  // Cancellation, timeouts, processes.
  ...rows('faults', 'tested', 'spine', {
    F57: 'Cancelling reaches every running call, and what was settled stays.',
    F58: 'A success after the timeout is recorded as a late result.',
  }),
  ...rows('faults', 'deferred', 'workspace', {
    F60: 'A command returns when its shell exits, whatever its children hold open.',
    F61: 'No child of a command that timed out goes on writing.',
  }),
  // Sandbox, network, secrets.
  ...rows('faults', 'tested', 'spine', {
    F63: 'A thrown value with a hostile message can neither escape nor hang what formats it.',
    F72: 'JSON from outside cannot pollute a prototype.',
  }),
  ...rows('faults', 'deferred', 'programs', {
    F64: 'Ten thousand rejected host promises leave the memory of the engine flat.',
    F66: 'Bytecode or a cache from outside is never accepted.',
    F75: 'Names in generated typings are explicit and stable.',
  }),
  ...rows('faults', 'deferred', 'workspace', {
    F67: 'A sandbox leaves the workspace as it was, keeps denied parents with allowed children working, and protects the home.',
    F73: 'A sandbox without network cannot leak by name lookups.',
  }),
  ...rows('faults', 'deferred', 'http', {
    F69: 'A request goes to the address that was checked, at every hop and in every spelling.',
    F70: 'With several accounts the call must say which, and only those of its subject exist.',
  }),
]
